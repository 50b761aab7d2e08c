package io.tutti.launcher.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code run} on emulated machines of several hosts, in one process: where a rank is decides how it can be reached. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "emulated hosts share memory by descriptors")
class SeveralHostsTest {

    private static final String TRAYS = "include classpath(\"io/tutti/config/topologies/gb200-nvl72-2x4.conf\")\n";

    @TempDir
    Path folder;

    private static Invocation run(String... options) {
        return Invocation.real(
                Stream.of(List.of("run", "--json", "--tokens=3", "--hidden=64", "--iterations=2"), List.of(options))
                        .flatMap(List::stream)
                        .toArray(String[]::new));
    }

    private static JsonNode communicator(String... options) {
        Invocation run = run(options);
        assertThat(run.status()).as(run.out() + run.err()).isZero();
        return run.json().at("/communicators/0");
    }

    private static JsonNode refusal(String... options) {
        Invocation run = run(options);
        assertThat(run.status()).as(run.out() + run.err()).isEqualTo(ExitStatus.FAILED);
        JsonNode error = run.json().get("error");
        assertThat(error.get("code").asText()).isEqualTo("preflight");
        assertThat(error.get("call").isNull()).isTrue();
        assertThat(error.get("advice").asText()).isNotBlank();
        return error;
    }

    private String topology(String hosts) throws IOException {
        return Files.writeString(folder.resolve("mine.conf"), TRAYS + "hosts = " + hosts)
                .toString();
    }

    private static String sha256(JsonNode communicator) {
        return communicator.at("/operations/outputSha256").asText();
    }

    @Test
    void ranksOfOneDomainReachEachOtherAcrossHostsByFabricHandles() {
        JsonNode two = communicator("--topology=gb200-nvl72-2x4", "--path=p2p");
        assertThat(two.get("worldSize").asInt()).isEqualTo(8);
        assertThat(two.get("processes").asInt()).isEqualTo(1);
        assertThat(two.get("handleKinds")).hasToString("[\"in-process\",\"fabric\"]");
        assertThat(sha256(two)).isEqualTo(sha256(communicator("--ranks=8", "--path=p2p")));
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "5, 2"})
    void handlesOfThisHostAloneDoWhileNoRankIsOnAnother(int ranks, int worldsOfOneHost) {
        JsonNode few = communicator("--topology=gb200-nvl72-2x4", "--path=p2p", "--ranks=" + worldsOfOneHost);
        assertThat(few.get("handleKinds")).hasToString("[\"in-process\"]");
        JsonNode more = communicator("--topology=gb200-nvl72-2x4", "--path=p2p", "--ranks=" + ranks);
        assertThat(more.get("handleKinds").size()).isEqualTo(ranks > 4 ? 2 : 1);
    }

    @ParameterizedTest
    @CsvSource({"'in-process,posix-fd', posix-fd", "'in-process,legacy-ipc', legacy-ipc"})
    void whatDoesNotLeaveAHostIsRefusedBetweenTwoAlsoInOneProcess(String kinds, String local) {
        JsonNode error = refusal("--topology=gb200-nvl72-2x4", "--path=p2p", "--handles=" + kinds);
        assertThat(error.get("rank").asInt()).isZero();
        assertThat(error.get("message").asText())
                .contains("between rank 0 and rank 4, which are on two hosts")
                .contains("in-process=out-of-reach")
                .contains(local + "=out-of-reach")
                .contains("fabric=not-allowed");
        assertThat(error.get("advice").asText()).contains("fabric");
    }

    @Test
    void aRankWithoutAnImexChannelIsNamed() throws IOException {
        JsonNode error = refusal(
                "--path=p2p",
                "--topology",
                topology("[${tray}, ${tray} { devices = [${gb200}, ${gb200}, ${gb200}] },"
                        + " ${tray} { name = container, imex-channel = false, devices = [${gb200}] }]"));
        assertThat(error.get("rank").asInt()).isEqualTo(7);
        assertThat(error.get("message").asText())
                .contains("fabric=lacking-on-rank-7")
                .contains("host=container");
        assertThat(error.get("advice").asText()).contains("IMEX channel");
    }

    @Test
    void hostsOfTwoCliquesAreNeverJoinedByPeerMemory() throws IOException {
        JsonNode error = refusal("--path=p2p", "--topology", topology("[${tray}, ${tray} { fabric.clique = 2 }]"));
        assertThat(error.get("message").asText())
                .contains("rank 0")
                .contains("rank 4")
                .contains("no NVLink domain joins node-0")
                .contains("clique=1")
                .contains("clique=2");
    }

    @Test
    void hostsWithoutAFabricCarryACommunicatorWithinOneOfThem() {
        JsonNode error = refusal("--topology=h200-2x8", "--path=p2p");
        assertThat(error.get("message").asText())
                .contains("rank 0")
                .contains("rank 8")
                .contains("cluster=none");
        JsonNode one = communicator("--topology=h200-2x8", "--path=p2p", "--ranks=8");
        assertThat(one.get("handleKinds")).hasToString("[\"in-process\"]");
    }

    @Test
    void eachOfSeveralCommunicatorsHasItsOwnKindsAndResult() throws IOException {
        Path config = Files.writeString(
                folder.resolve("two.conf"), "tutti.communicators { tp0 { world-size = 4 }, tp1 { world-size = 8 } }");
        Invocation run = run("--config=" + config, "--topology=gb200-nvl72-2x4", "--path=p2p");
        assertThat(run.status()).as(run.out() + run.err()).isZero();
        JsonNode all = run.json().get("communicators");
        assertThat(all).hasSize(2);
        assertThat(all.at("/0/name").asText()).isEqualTo("tp0");
        assertThat(all.at("/0/handleKinds")).hasToString("[\"in-process\"]");
        assertThat(all.at("/1/name").asText()).isEqualTo("tp1");
        assertThat(all.at("/1/worldSize").asInt()).isEqualTo(8);
        assertThat(all.at("/1/handleKinds")).hasToString("[\"in-process\",\"fabric\"]");
        assertThat(sha256(all.get(0))).isEqualTo(sha256(communicator("--ranks=4")));
        assertThat(sha256(all.get(1))).isEqualTo(sha256(communicator("--ranks=8")));
    }
}
