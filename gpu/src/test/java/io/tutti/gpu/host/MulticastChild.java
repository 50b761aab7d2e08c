package io.tutti.gpu.host;

import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.posix.Descriptors;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The second member of {@link MulticastBetweenProcessesTest}'s team, told step by step. */
final class MulticastChild {

    static final long BYTES = 2 * TestTopologies.MIB;

    private final Machine machine;
    private @Nullable CuMemHandle team;
    private Machine.@Nullable Mapped memory;
    private Machine.@Nullable Mapped all;

    private MulticastChild(String topology) {
        machine = new Machine(machineOf(topology));
        machine.use(1);
    }

    static HostDriver machineOf(String topology) {
        return HostDriver.builder()
                .topology(TestTopologies.switched(
                        topology,
                        new Topology.Multicast(
                                CuResult.CUDA_SUCCESS,
                                BYTES,
                                1,
                                Topology.FabricManager.RUNNING,
                                Topology.Stores.EVERY_MEMBER)))
                .kernels("tests", Machine.KERNELS)
                .build();
    }

    public static void main(String[] arguments) throws Exception {
        MulticastChild child = new MulticastChild(arguments[0]);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ");
            System.out.println("done " + child.run(words[0], words[1]));
            System.out.flush();
        }
    }

    private String run(String step, String argument) throws Exception {
        switch (step) {
            case "join" -> join(Path.of(argument));
            case "bind" -> bind();
            case "spread" -> spread(Integer.parseInt(argument));
            case "read" -> {
                return Integer.toString(
                        machine.read(Objects.requireNonNull(memory).address() + Long.parseLong(argument)));
            }
            default -> throw new IllegalArgumentException(step);
        }
        return "";
    }

    private void join(Path descriptor) throws Exception {
        int fd = Descriptors.open(descriptor);
        team = machine.driver.memImportFromShareableHandle(new ShareableHandle.PosixFd(fd));
        Descriptors.close(fd);
        machine.driver.multicastAddDevice(team, 1);
    }

    private void bind() {
        CuMemHandle joined = Objects.requireNonNull(team);
        Machine.Mapped mine = machine.virtual(1, BYTES, ShareableType.POSIX_FD);
        machine.driver.multicastBindMem(joined, 0, mine.handle(), 0, BYTES);
        memory = mine;
        all = machine.map(joined, BYTES, 1);
    }

    /** Stores at the second word. */
    private void spread(int value) {
        CuStream stream = machine.driver.streamCreate();
        machine.launch(stream, 1, "spread", Objects.requireNonNull(all).address() + 4, value);
        machine.sync(stream);
        machine.driver.streamDestroy(stream);
    }
}
