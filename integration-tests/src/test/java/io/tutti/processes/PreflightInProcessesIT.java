package io.tutti.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Preflights whose ranks live in processes of their own, on one emulated host and on two. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class PreflightInProcessesIT {

    @TempDir
    Path folder;

    private TuttiProgram.Outcome tutti(String... arguments) throws Exception {
        try (TuttiProgram program = TuttiProgram.start(folder, arguments)) {
            TuttiProgram.Outcome outcome = program.await();
            program.leftBehind().assertNothing();
            return outcome;
        }
    }

    @ParameterizedTest
    @CsvSource({"h200-2, 2, 1", "gb200-nvl72-2x4, 4, 2"})
    void whatTheProcessesAgreedOnIsWhatTheirSavedFactsGiveOffline(String topology, int processes, int hosts)
            throws Exception {
        String file = folder.resolve("facts.json").toString();
        JsonNode here = tutti(
                        "preflight",
                        "--json",
                        "--topology=" + topology,
                        "--processes=" + processes,
                        "--path=p2p",
                        "--timeout=120s",
                        "--save-facts=" + file)
                .json(0)
                .at("/communicators/0");
        JsonNode offline =
                tutti("plan", "--json", "--path=p2p", "--facts=" + file).json(0).at("/communicators/0");

        assertThat(here.get("path").textValue()).isEqualTo("p2p");
        assertThat(here.get("hosts").intValue()).isEqualTo(hosts);
        assertThat(here.get("processes").intValue()).isEqualTo(processes);
        assertThat(here.get("ranks")).hasSize(here.get("worldSize").intValue());
        for (String name : new String[] {"hash", "handleKinds", "worldSize", "processes", "hosts", "workspaceBytes"}) {
            assertThat(offline.get(name)).as(name).isEqualTo(here.get(name));
        }
    }

    @Test
    void aKindThatOneProcessRefusesWhenTriedIsStatusThreeAndThatRanksInability() throws Exception {
        JsonNode communicator = tutti(
                        "preflight",
                        "--json",
                        "--ranks=2",
                        "--processes=2",
                        "--timeout=120s",
                        "--inject",
                        "rank=1 call=cuMemImportFromShareableHandle result=CUDA_ERROR_UNKNOWN")
                .json(3)
                .at("/communicators/0");
        assertThat(communicator.at("/ranks/1/abilities").toString())
                .contains("tried, and cuMemImportFromShareableHandle answered CUDA_ERROR_UNKNOWN at stage import");
        assertThat(communicator.at("/ranks/0/abilities").toString()).doesNotContain("tried, and");
    }
}
