package io.tutti.gpu.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.MulticastProperties;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.posix.Descriptors;
import io.tutti.gpu.process.ChildJvm;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A team whose members are two processes of the system, on switches that serve one object. */
@Timeout(90)
@EnabledOnOs(OS.LINUX)
class MulticastBetweenProcessesTest {

    private static final long BYTES = MulticastChild.BYTES;

    private final String topology = "team-" + UUID.randomUUID();

    private static CuMemHandle object(Machine machine) {
        CuMemHandle object = machine.driver.multicastCreate(new MulticastProperties(2, BYTES, ShareableType.POSIX_FD));
        machine.driver.multicastAddDevice(object, 0);
        return object;
    }

    private static void join(Machine machine, CuMemHandle object, ChildJvm child) throws Exception {
        var shared =
                (ShareableHandle.PosixFd) machine.driver.memExportToShareableHandle(object, ShareableType.POSIX_FD);
        child.send("join " + Descriptors.path(ProcessHandle.current().pid(), shared.fd()));
        child.expect("done");
        Descriptors.close(shared.fd());
    }

    private static Machine.Mapped bind(Machine machine, CuMemHandle object) {
        Machine.Mapped memory = machine.virtual(0, BYTES, ShareableType.POSIX_FD);
        machine.driver.multicastBindMem(object, 0, memory.handle(), 0, BYTES);
        return memory;
    }

    private static void spread(Machine machine, long address, int value) {
        CuStream stream = machine.driver.streamCreate();
        machine.launch(stream, 0, "spread", address, value);
        machine.sync(stream);
    }

    @Test
    void storesReachBothProcessesAndADeathHarmsNobody() throws Exception {
        try (Machine machine = new Machine(MulticastChild.machineOf(topology));
                ChildJvm child = new ChildJvm(MulticastChild.class, topology)) {
            CuMemHandle object = object(machine);
            join(machine, object, child);
            Machine.Mapped memory = bind(machine, object);
            child.send("bind -");
            child.expect("done");
            Machine.Mapped all = machine.map(object, BYTES, 0);
            spread(machine, all.address(), 41);
            child.send("read 0");
            assertThat(child.expect("done")).isEqualTo("41");
            child.send("spread 42");
            child.expect("done");
            assertThat(machine.read(memory.address() + 4)).isEqualTo(42);

            child.kill();
            child.awaitEnd();
            spread(machine, all.address() + 8, 43);
            assertThat(machine.read(memory.address() + 8)).isEqualTo(43);
        }
    }

    @Test
    void aProcessThatIsKilledGivesItsSlotBack() throws Exception {
        try (Machine machine = new Machine(MulticastChild.machineOf(topology))) {
            CuMemHandle first = object(machine);
            try (ChildJvm child = new ChildJvm(MulticastChild.class, topology)) {
                join(machine, first, child);
                child.send("bind -");
                child.expect("done");
                CuMemHandle second = object(machine);
                machine.driver.multicastAddDevice(second, 1);
                Answers.refused(2, () -> bind(machine, second));
                child.kill();
                child.awaitEnd();
                bind(machine, second);
            }
        }
    }
}
