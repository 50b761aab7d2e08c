package io.tutti.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code run} on emulated machines: what the multicast query answers decides nothing but one path. */
class EmulatedTopologiesTest {

    private static final String[] SMALL = {"run", "--json", "--tokens=2", "--hidden=64", "--iterations=2"};

    @TempDir
    Path folder;

    private static Invocation run(String... options) {
        String[] all = new String[SMALL.length + options.length];
        System.arraycopy(SMALL, 0, all, 0, SMALL.length);
        System.arraycopy(options, 0, all, SMALL.length, options.length);
        return Invocation.real(all);
    }

    @ParameterizedTest
    @CsvSource({"pcie-4, 4", "single, 1"})
    void aMachineWithoutMulticastTakesTheNextPathAndSaysWhy(String topology, int devices) {
        Invocation run = run("--topology", topology);
        assertThat(run.status()).as(run.out() + run.err()).isZero();
        assertThat(run.json().get("driver").asText()).isEqualTo("host");
        assertThat(run.json().get("topology").asText()).isEqualTo(topology);
        JsonNode communicator = run.json().at("/communicators/0");
        assertThat(communicator.get("worldSize").asInt()).isEqualTo(devices);
        assertThat(communicator.get("path").asText()).isEqualTo("p2p");
        refusedByTheQuery(communicator.get("rejected").get(0), 0, "CUDA_ERROR_NOT_SUPPORTED");
    }

    @Test
    void aQueryThatFailsOnOneRankAloneIsThatRanksReasonForAll() {
        Invocation run = run(
                "--topology", "h200-8", "--inject", "rank=3 call=cuMulticastGetGranularity result=CUDA_ERROR_UNKNOWN");
        assertThat(run.status()).as(run.out() + run.err()).isZero();
        JsonNode communicator = run.json().at("/communicators/0");
        assertThat(communicator.get("worldSize").asInt()).isEqualTo(8);
        assertThat(communicator.get("path").asText()).isEqualTo("p2p");
        assertThat(communicator.get("rejected")).hasSize(1);
        refusedByTheQuery(communicator.get("rejected").get(0), 3, "CUDA_ERROR_UNKNOWN");
    }

    private static void refusedByTheQuery(JsonNode row, int rank, String result) {
        assertThat(row.get("path").asText()).isEqualTo("nvls");
        assertThat(row.get("rank").asInt()).isEqualTo(rank);
        assertThat(row.get("stage").asText()).isEqualTo("plan");
        assertThat(row.get("call").asText()).isEqualTo("cuMulticastGetGranularity");
        assertThat(row.get("result").asText()).isEqualTo(result);
        assertThat(row.get("advice").asText()).isNotBlank();
    }

    @ParameterizedTest
    @CsvSource({
        "pcie-4, 0, CUDA_ERROR_NOT_SUPPORTED",
        "single, 0, CUDA_ERROR_NOT_SUPPORTED",
        "h200-8, 3, CUDA_ERROR_UNKNOWN"
    })
    void whereNvlsAloneIsAllowedTheSameReasonIsTheError(String topology, int rank, String result) {
        Invocation run = run(
                "--topology",
                topology,
                "--path",
                "nvls",
                "--inject",
                "rank=" + rank + " call=cuMulticastGetGranularity result=" + result);
        assertThat(run.status()).as(run.out() + run.err()).isEqualTo(ExitStatus.FAILED);
        JsonNode error = run.json().get("error");
        assertThat(error.get("call").asText()).isEqualTo("cuMulticastGetGranularity");
        assertThat(error.get("result").asText()).isEqualTo(result);
        assertThat(error.get("rank").asInt()).isEqualTo(rank);
        assertThat(error.get("advice").asText()).isNotBlank();
    }

    @Test
    void fabricHandlesCarryTheRanksWhereThereIsAnImexChannelAndAreNotPromisedWithout() {
        Invocation run = run("--topology", "h200-8", "--handles", "fabric");
        assertThat(run.status()).as(run.out() + run.err()).isZero();
        assertThat(run.json().at("/communicators/0/handleKinds").toString()).isEqualTo("[\"fabric\"]");

        Invocation without = run("--topology", "h200-8-no-imex", "--handles", "fabric");
        assertThat(without.status()).as(without.out() + without.err()).isEqualTo(ExitStatus.FAILED);
        JsonNode error = without.json().get("error");
        assertThat(error.get("call").isNull()).isTrue();
        assertThat(error.get("message").asText()).contains("fabric=lacking-on-rank-0");
        assertThat(error.get("advice").asText()).contains("IMEX channel");
    }

    @Test
    void slicesWithoutAPeerPathAreNamed() {
        Invocation run = run("--topology", "mig");
        assertThat(run.status()).as(run.out() + run.err()).isEqualTo(ExitStatus.FAILED);
        assertThat(run.json().at("/error/message").asText())
                .contains("no peer path")
                .contains("MIG-");
    }

    @Test
    void aLinkThatCrawlsTakesThePathFromAllRanksAndBothFiguresAreTold() throws Exception {
        Path file = Files.writeString(
                folder.resolve("crawling.conf"),
                "gpu { memory = 1 GiB }\nhosts = [{ devices = [${gpu}, ${gpu}, ${gpu} { link.real = 1 MiB }] }]");
        Invocation run = run("--topology", file.toString(), "--path", "p2p");
        assertThat(run.status()).as(run.out() + run.err()).isEqualTo(ExitStatus.FAILED);
        JsonNode error = run.json().get("error");
        assertThat(error.get("code").asText()).isEqualTo("preflight");
        assertThat(error.get("message").asText()).contains("crawl: moved=").contains("promised=67.1MB/s");
        assertThat(error.get("advice").asText()).contains("where the link promises 67.1MB/s");
    }

    @Test
    void aTopologyOfOnesOwnIsAFile() throws Exception {
        Path file = Files.writeString(
                folder.resolve("three.conf"),
                "gpu { memory = 1 GiB }\nhosts = [{ devices = [${gpu}, ${gpu}, ${gpu}] }]");
        Invocation run = run("--topology", file.toString());
        assertThat(run.status()).as(run.out() + run.err()).isZero();
        assertThat(run.json().at("/communicators/0/worldSize").asInt()).isEqualTo(3);
        Invocation wrong = run(
                "--topology",
                Files.writeString(file, "hosts = [{ devices = [{ memory = 1 }] }]")
                        .toString());
        assertThat(wrong.status()).isEqualTo(ExitStatus.BAD_REQUEST);
        assertThat(wrong.json().at("/error/message").asText()).contains("three.conf:1");
    }

    @ParameterizedTest
    @CsvSource({
        "--ranks=5 --topology=pcie-4, more ranks than devices",
        "--ranks=9 --topology=gb200-nvl72-2x4, more ranks than devices",
        "--topology=pcie-5, pcie-4",
        "--topology=pcie-4 --driver=cuda, --topology"
    })
    void whatATopologyCannotGiveIsStatusTwo(String options, String words) {
        Invocation run = run(options.split(" "));
        assertThat(run.status()).as(run.out() + run.err()).isEqualTo(ExitStatus.BAD_REQUEST);
        JsonNode error = run.json().get("error");
        assertThat(error.get("message").asText() + error.get("advice").asText()).contains(words);
    }
}
