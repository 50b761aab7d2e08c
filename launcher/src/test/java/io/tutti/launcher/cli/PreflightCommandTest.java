package io.tutti.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code preflight}: communicators are formed for real and given back, and each rank's abilities are told. */
class PreflightCommandTest {

    @TempDir
    Path folder;

    private static Invocation preflight(String... options) {
        String[] all = new String[options.length + 2];
        all[0] = "preflight";
        all[1] = "--json";
        System.arraycopy(options, 0, all, 2, options.length);
        return Invocation.real(all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"local", "single", "pcie-4", "h200-2", "h200-8", "h100-nvl-2"})
    void factsThatWereSavedGiveThePlanThatTheTopologyGives(String topology) {
        Path file = folder.resolve(topology + ".json");
        Invocation run = preflight("--topology", topology, "--save-facts", file.toString());
        JsonNode communicator = run.json().at("/communicators/0");

        JsonNode offline = Invocation.of("plan", "--json", "--facts", file.toString())
                .json()
                .at("/communicators/0");
        JsonNode emulated =
                Invocation.of("plan", "--json", "--topology", topology).json().at("/communicators/0");

        assertThat(offline.get("hash")).isEqualTo(emulated.get("hash"));
        assertThat(offline.get("path")).isEqualTo(emulated.get("path"));
        assertThat(offline.get("rejected")).isEqualTo(emulated.get("rejected"));
        if (run.status() == ExitStatus.GOOD) {
            assertThat(communicator.get("hash")).as(run.out()).isEqualTo(offline.get("hash"));
        } else {
            assertThat(run.status()).as(run.out() + run.err()).isEqualTo(ExitStatus.PROMISE_REFUSED);
        }
    }

    @Test
    void everyRankTellsWhatItCanAndCannotUseAndWhy() {
        Invocation run = preflight("--topology", "pcie-4");
        assertThat(run.status()).as(run.out() + run.err()).isZero();
        JsonNode communicator = run.json().at("/communicators/0");
        assertThat(communicator.get("worldSize").asInt()).isEqualTo(4);
        assertThat(communicator.get("path").asText()).isEqualTo("p2p");
        assertThat(communicator.get("ranks")).hasSize(4);
        JsonNode rank = communicator.at("/ranks/2");
        assertThat(rank.get("rank").asInt()).isEqualTo(2);
        assertThat(rank.get("abilities")).anySatisfy(ability -> {
            assertThat(ability.get("what").asText()).isEqualTo("multicast");
            assertThat(ability.get("usable").asBoolean()).isFalse();
            assertThat(ability.get("reason").asText()).contains("CUDA_ERROR_NOT_SUPPORTED");
            assertThat(ability.get("advice").asText()).isNotBlank();
        });
        assertThat(rank.at("/facts/device/pciBusId").asText()).isEqualTo("0000:02:00.0");
    }

    @Test
    void aPromiseThatWasRefusedWhenTriedIsStatusThreeAndNamesTheRank() {
        Invocation run = preflight(
                "--topology=h200-8",
                "--path=p2p",
                "--handles=fabric,in-process",
                "--inject",
                "rank=5 call=cuMemMap result=CUDA_ERROR_UNKNOWN times=1");
        assertThat(run.status()).as(run.out() + run.err()).isIn(ExitStatus.FAILED, ExitStatus.PROMISE_REFUSED);
        assertThat(run.out()).contains("cuMemMap").contains("\"rank\":5");
    }

    @Test
    void whereNoPathWorksTheFactsAreToldAndSavedAllTheSame() {
        Path file = folder.resolve("facts.json");
        Invocation run = preflight("--topology", "pcie-4", "--path", "nvls", "--save-facts", file.toString());
        assertThat(run.status()).as(run.out() + run.err()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.json().at("/error/call").asText()).isEqualTo("cuMulticastGetGranularity");
        assertThat(run.json().at("/communicators/0/path").isNull()).isTrue();
        assertThat(run.json().at("/communicators/0/ranks")).hasSize(4);
        Invocation plan = Invocation.of("plan", "--facts", file.toString(), "--path", "p2p");
        assertThat(plan.status()).as(plan.out() + plan.err()).isZero();
        assertThat(plan.out()).contains("4 ranks in 1 processes on 1 hosts, topology pcie-4");
    }

    @Test
    void peopleReadATableWithEachReasonOnce() {
        Invocation run = Invocation.real("preflight", "--topology", "pcie-4");
        assertThat(run.status()).as(run.out() + run.err()).isZero();
        assertThat(run.out())
                .startsWith("communicator tp0")
                .contains("path        p2p over in-process handles")
                .containsPattern("rank +host +device +in-process +posix-fd +fabric")
                .containsOnlyOnce("cannot      multicast on ranks 0, 1, 2, 3: cuMulticastGetGranularity answered");
    }

    @ParameterizedTest
    @CsvSource({
        "preflight --json --ranks=5 --topology=pcie-4, more ranks than devices",
        "preflight --json --save-facts=/nowhere/facts.json, folder",
        "plan --json --facts=/nowhere/facts.json, does not exist",
        "plan --json --facts=/nowhere/facts.json --topology=local, contradicts --facts",
        "plan --json --facts=/nowhere/facts.json --ranks=2, contradicts --facts"
    })
    void mistakesAreStatusTwoBeforeAnythingStarts(String arguments, String words) {
        Invocation run = Invocation.of(arguments.split(" "));
        assertThat(run.status()).as(run.out() + run.err()).isEqualTo(ExitStatus.BAD_REQUEST);
        assertThat(run.runtimes().started()).isEmpty();
        assertThat(run.json().at("/error/message").asText()).contains(words);
    }

    @Test
    void aFileThatIsNoFactsFileIsNamedWithThePlace() throws Exception {
        Path file = Files.writeString(folder.resolve("facts.json"), "{\"factsVersion\": 7}");
        Invocation run = Invocation.of("plan", "--json", "--facts", file.toString());
        assertThat(run.status()).isEqualTo(ExitStatus.BAD_REQUEST);
        assertThat(run.json().at("/error/message").asText())
                .contains("at=factsVersion")
                .contains("is 7");
    }
}
