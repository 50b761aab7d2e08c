package io.tutti.gpu.rank;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two ranks in two real processes: kernels of each store into the other's workspace and read its tensors, epoch after epoch. */
@Timeout(90)
@EnabledOnOs(value = OS.LINUX, disabledReason = "processes share memory by descriptors")
final class EpochBetweenProcessesTest {

    private static final int CALLS = 4;

    @ParameterizedTest
    @EnumSource(names = {"POSIX_FD", "LEGACY_IPC"})
    void eachStoresIntoTheOthersWorkspaceAndBothHaveEverythingBack(HandleKind kind) throws Exception {
        EpochChild here = new EpochChild(0, kind);
        try (ChildJvm there = new ChildJvm(EpochChild.class, kind.name())) {
            for (long epoch = 1; epoch <= 3; epoch++) {
                there.send("offer " + epoch);
                String offers = here.run("offer", epoch, List.of()) + " " + there.expect("done");
                List<MemoryOffer> all = List.of(offers.split(" ")).stream()
                        .map(EpochChild::offer)
                        .toList();
                for (String step : List.of("import", "write", "verify", "quiesce", "commit")) {
                    both(here, there, step, epoch, all);
                }
                long before = memoriesOfRank1();
                for (int call = 0; call < CALLS; call++) {
                    both(here, there, "call", epoch * CALLS + call, List.of());
                }
                // From the second call on the peer's tensors are read in place; a plain workspace lies in the same
                // slab.
                assertThat(memoriesOfRank1()).isEqualTo(before + (kind == HandleKind.POSIX_FD ? 1 : 0));
                both(here, there, "drain", epoch, List.of());
                both(here, there, "release", epoch, List.of());
            }
            there.send("close 3");
            there.expect("done");
            here.run("close", 3, List.of());
        }
        assertThat(memoriesOfRank1()).isZero();
    }

    private static void both(EpochChild here, ChildJvm there, String step, long number, List<MemoryOffer> offers)
            throws Exception {
        there.send((step + " " + number + " " + EpochChild.text(offers)).trim());
        here.run(step, number, offers);
        there.expect("done");
    }

    /** How many memories of the other process's device are mapped here. */
    private static long memoriesOfRank1() throws IOException {
        Pattern name = Pattern.compile("/memfd:(tutti:local:0:1:[0-9a-f]+)");
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .map(name::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .distinct()
                .count();
    }
}
