package io.tutti.gpu.host;

import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.posix.Descriptors;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * The other process of {@link SharingBetweenProcessesTest}. It maps memory of its parent, adds to a word of it in a loop
 * of kernels until the word next to it is set, and exits with 0.
 */
final class SharingChild {

    private SharingChild() {}

    /** Arguments: {@code fd PATH BYTES} or {@code ipc HEX}. */
    public static void main(String[] args) throws Exception {
        try (Machine machine = Machine.local(2)) {
            machine.use(1);
            long address = args[0].equals("fd") ? byDescriptor(machine, args) : byIpc(machine, args);
            CuStream stream = machine.driver.streamCreate();
            long deadline = System.nanoTime() + Machine.PATIENCE;
            while (machine.read(address + 4) == 0) {
                machine.launch(stream, 1, "add", address, 1);
                machine.sync(stream);
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("the parent did not answer");
                }
            }
        }
    }

    private static long byDescriptor(Machine machine, String[] args) throws Exception {
        int fd = Descriptors.open(Path.of(args[1]));
        CuMemHandle handle = machine.driver.memImportFromShareableHandle(new ShareableHandle.PosixFd(fd));
        Descriptors.close(fd);
        return machine.map(handle, Long.parseLong(args[2]), 1).address();
    }

    private static long byIpc(Machine machine, String[] args) {
        return machine.driver.ipcOpenMemHandle(HexFormat.of().parseHex(args[1]));
    }
}
