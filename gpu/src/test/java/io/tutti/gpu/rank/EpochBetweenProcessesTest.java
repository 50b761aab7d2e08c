package io.tutti.gpu.rank;

import io.tutti.gpu.HandleKind;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.process.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two ranks in two real processes: kernels of each store into the other's workspace, epoch after epoch. */
@Timeout(90)
@EnabledOnOs(value = OS.LINUX, disabledReason = "processes share memory by descriptors")
final class EpochBetweenProcessesTest {

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
                for (String step : List.of("import", "write", "verify", "quiesce", "commit", "drain", "release")) {
                    there.send(step + " " + epoch + " " + offers);
                    here.run(step, epoch, all);
                    there.expect("done");
                }
            }
            there.send("close 3");
            there.expect("done");
            here.run("close", 3, List.of());
        }
    }
}
