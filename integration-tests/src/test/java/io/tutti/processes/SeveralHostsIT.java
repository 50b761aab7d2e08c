package io.tutti.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.tutti.config.Topologies;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.host.HostDriver;
import io.tutti.gpu.host.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two hosts of one NVLink domain, eight ranks in eight processes: memory that was shared by legacy IPC handles once ended
 * such a start with "invalid resource handle". First that failure, then what the planner does instead.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class SeveralHostsIT {

    private static final String TOPOLOGY = "gb200-nvl72-2x4";
    private static final String TRAYS = "include classpath(\"io/tutti/config/topologies/" + TOPOLOGY + ".conf\")\n";
    private static final long BYTES = 2L << 20;

    @TempDir
    Path folder;

    private TuttiProgram.Outcome inEightProcesses(String topology, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("run", "--json", "--processes=8", "--topology=" + topology));
        // Nine JVMs start at once, possibly on two cores.
        command.addAll(List.of("--timeout=120s", "--tokens=3", "--hidden=64", "--iterations=2"));
        command.addAll(List.of(arguments));
        try (TuttiProgram program = TuttiProgram.start(folder, command.toArray(String[]::new))) {
            TuttiProgram.Outcome outcome = program.await();
            program.leftBehind().assertNothing();
            return outcome;
        }
    }

    private String trays(String hosts) throws IOException {
        return Files.writeString(folder.resolve("mine.conf"), TRAYS + "hosts = " + hosts)
                .toString();
    }

    private static HostDriver on(Topology topology, int host) {
        HostDriver driver = HostDriver.builder().topology(topology).host(host).build();
        driver.ctxSetCurrent(driver.primaryCtxRetain(0));
        return driver;
    }

    @Test
    void theFailureItself_theDriverAnswers400ToALegacyHandleOfAnotherHost() {
        Topology topology = Topologies.load(TOPOLOGY, OptionalLong.of(64 << 20));
        try (HostDriver exporter = on(topology, 0);
                HostDriver importer = on(topology, 1)) {
            exporter.ctxSetCurrent(exporter.primaryCtxRetain(0));
            byte[] handle = exporter.ipcGetMemHandle(exporter.memAlloc(BYTES));
            DriverException refusal =
                    catchThrowableOfType(DriverException.class, () -> importer.ipcOpenMemHandle(handle));
            assertThat(refusal.result()).isEqualTo(CuResult.CUDA_ERROR_INVALID_HANDLE);
            assertThat(refusal.result().code()).isEqualTo(400);
            assertThat(refusal.info().advice()).contains("fabric");
        }
    }

    @Test
    void whereLegacyIpcAloneIsAllowedThePlannerRefusesItBetweenTheHosts() throws Exception {
        JsonNode error =
                inEightProcesses(TOPOLOGY, "--path=p2p", "--handles=legacy-ipc").error(1);
        assertThat(error.get("code").textValue()).isEqualTo("preflight");
        assertThat(error.get("call").isNull()).isTrue();
        assertThat(error.get("message").textValue())
                .contains("between rank 0 and rank 4, which are on two hosts")
                .contains("legacy-ipc=out-of-reach");
        assertThat(error.get("advice").textValue()).contains("[posix-fd, fabric] would work");
    }

    @Test
    void withoutMulticastFabricHandlesCarryTheRanksAcrossTheHosts() throws Exception {
        TuttiProgram.Outcome outcome = inEightProcesses(TOPOLOGY, "--path=p2p");
        JsonNode communicator = outcome.communicator();
        assertThat(communicator.get("worldSize").intValue()).isEqualTo(8);
        assertThat(communicator.get("processes").intValue()).isEqualTo(8);
        assertThat(communicator.get("path").textValue()).isEqualTo("p2p");
        assertThat(communicator.get("handleKinds")).hasToString("[\"posix-fd\",\"fabric\"]");
        assertThat(communicator.at("/operations/bitIdenticalAcrossRanks").booleanValue())
                .isTrue();
    }

    @Test
    void aRankWithoutAnImexChannelIsNamedAndNobodyUsesPeerMemory() throws Exception {
        JsonNode error = inEightProcesses(
                        trays("[${tray}, ${tray} { devices = [${gb200}, ${gb200}, ${gb200}] },"
                                + " ${tray} { name = container, imex-channel = false, devices = [${gb200}] }]"),
                        "--path=p2p")
                .error(1);
        assertThat(error.get("rank").intValue()).isEqualTo(7);
        assertThat(error.get("message").textValue()).contains("fabric=lacking-on-rank-7", "host=container");
        assertThat(error.get("advice").textValue()).contains("IMEX channel");
    }

    @Test
    void hostsOfTwoCliquesAreNeverJoinedByPeerMemory() throws Exception {
        JsonNode error = inEightProcesses(trays("[${tray}, ${tray} { fabric.clique = 2 }]"), "--path=p2p")
                .error(1);
        assertThat(error.get("message").textValue()).contains("rank 0", "rank 4", "clique=1", "clique=2");
    }

    @Test
    void theDeathOfAProcessFreesTheRanksOfTheOtherHostWithinASecond() throws Exception {
        String topology = trays("[${tray} { devices = [${gb200}] }, ${tray} { devices = [${gb200}] }]");
        try (TuttiProgram program = TuttiProgram.start(
                folder,
                "run",
                "--json",
                "--processes=2",
                "--topology=" + topology,
                "--path=p2p",
                "--tokens=1",
                "--hidden=64",
                "--iterations=2000000")) {
            program.awaitErr("operations");
            TuttiProgram.signal("KILL", List.of(program.awaitRankProcesses(2).get(1)));
            Deaths.assertNamesRankAndOthersWereFree(program.await(), "1");
            program.leftBehind().assertNothing();
        }
    }
}
