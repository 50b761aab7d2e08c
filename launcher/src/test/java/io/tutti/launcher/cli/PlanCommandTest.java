package io.tutti.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code plan}: the planner's answer for machines that are not here. */
class PlanCommandTest {

    private static JsonNode plan(int status, String... options) {
        String[] all = new String[options.length + 2];
        all[0] = "plan";
        all[1] = "--json";
        System.arraycopy(options, 0, all, 2, options.length);
        Invocation run = Invocation.of(all);
        assertThat(run.status()).as(run.out() + run.err()).isEqualTo(status);
        assertThat(run.runtimes().started()).as("nothing is started").isEmpty();
        return run.json();
    }

    @ParameterizedTest
    @CsvSource({
        "h200-8, 8, 1, same-process, in-process",
        "pcie-4, 4, 1, same-process, in-process",
        "gb200-nvl72-2x4, 8, 2, other-host, fabric",
        "gb200-nvl72-18x4, 72, 18, other-host, fabric"
    })
    void everyDeviceGetsARankAndEveryPairAKind(String topology, int ranks, int hosts, String pair, String kind) {
        JsonNode plan = plan(0, "--topology", topology);
        assertThat(plan.get("topology").asText()).isEqualTo(topology);
        JsonNode communicator = plan.at("/communicators/0");
        assertThat(communicator.get("worldSize").asInt()).isEqualTo(ranks);
        assertThat(communicator.get("hosts").asInt()).isEqualTo(hosts);
        assertThat(communicator.get("path").asText()).isEqualTo("p2p");
        assertThat(communicator.get("handleKinds").get(pair).asText()).isEqualTo(kind);
        assertThat(communicator.get("workspaceBytes").asLong()).isPositive();
        assertThat(communicator.at("/rejected/0/path").asText()).isEqualTo("nvls");
    }

    @Test
    void twoHostsWithoutAFabricHaveNoPathAndTheReasonNamesTwoRanks() {
        JsonNode communicator = plan(1, "--topology", "h200-2x8").at("/communicators/0");
        assertThat(communicator.get("path").isNull()).isTrue();
        assertThat(communicator.at("/error/message").asText())
                .contains("rank 0")
                .contains("rank 8");
        assertThat(communicator.at("/error/advice").asText()).isNotBlank();
    }

    @Test
    void legacyIpcIsRefusedAcrossHosts() {
        JsonNode communicator = plan(
                        1, "--topology", "gb200-nvl72-2x4", "--handles", "in-process,legacy-ipc", "--processes", "8")
                .at("/communicators/0");
        assertThat(communicator.at("/error/message").asText())
                .contains("rank 0")
                .contains("rank 4")
                .contains("handle kind");
    }

    @Test
    void anInjectedRefusalIsTheReasonOfItsRank() {
        JsonNode row = plan(
                        0,
                        "--topology",
                        "h200-8",
                        "--inject",
                        "rank=5 call=cuMulticastGetGranularity result=CUDA_ERROR_SYSTEM_NOT_READY")
                .at("/communicators/0/rejected/0");
        assertThat(row.get("rank").asInt()).isEqualTo(5);
        assertThat(row.get("result").asText()).isEqualTo("CUDA_ERROR_SYSTEM_NOT_READY");
    }

    @ParameterizedTest
    @CsvSource({
        "--ranks=5 --topology=pcie-4, more ranks than devices",
        "--ranks=9 --topology=gb200-nvl72-2x4, more ranks than devices",
        "--topology=single --processes=2, more processes than ranks",
        "--topology=nowhere, neither a built-in topology nor a file"
    })
    void whatCannotBePlacedIsStatusTwo(String options, String words) {
        Invocation run = Invocation.of(("plan --json " + options).split(" "));
        assertThat(run.status()).as(run.out() + run.err()).isEqualTo(ExitStatus.BAD_REQUEST);
        assertThat(run.json().at("/error/message").asText()).contains(words);
    }

    @Test
    void peopleReadATable() {
        Invocation run = Invocation.of("plan", "--topology", "gb200-nvl72-2x4");
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .startsWith("communicator tp0")
                .contains("8 ranks in 2 processes on 2 hosts, topology gb200-nvl72-2x4")
                .contains("other-host     fabric handles")
                .contains("not nvls");
    }
}
