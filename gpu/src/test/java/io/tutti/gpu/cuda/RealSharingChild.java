package io.tutti.gpu.cuda;

import com.sun.jna.Function;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.posix.Descriptors;
import java.io.IOException;
import java.util.HexFormat;

/** The other process: adds to the first word of shared memory until the second is set. */
final class RealSharingChild {

    private static final long PIDFD_OPEN = 434;
    private static final long PIDFD_GETFD = 438;

    private RealSharingChild() {}

    /** Arguments: {@code fd PID DESCRIPTOR BYTES} or {@code ipc HEX}. */
    public static void main(String[] arguments) throws Exception {
        try (RealDevice device = RealDevice.open(CudaBinding.AUTO)) {
            if (arguments[0].equals("fd")) {
                byDescriptor(device, arguments);
            } else {
                long address = device.driver.ipcOpenMemHandle(HexFormat.of().parseHex(arguments[1]));
                work(device, address);
                device.driver.ipcCloseMemHandle(address);
            }
        }
    }

    private static void byDescriptor(RealDevice device, String[] arguments) throws IOException {
        int fd = descriptorOf(Long.parseLong(arguments[1]), Integer.parseInt(arguments[2]));
        CuMemHandle handle = device.driver.memImportFromShareableHandle(new ShareableHandle.PosixFd(fd));
        Descriptors.close(fd);
        RealDevice.Mapped mapped = device.map(handle, Long.parseLong(arguments[3]));
        work(device, mapped.address());
        device.free(mapped);
    }

    private static void work(RealDevice device, long address) {
        long deadline = System.nanoTime() + RealDevice.PATIENCE;
        while (device.read(address + 4) == 0) {
            device.launch("add", address, 1);
            device.sync();
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the parent did not answer");
            }
        }
    }

    private static int descriptorOf(long pid, int fd) {
        Function syscall = Function.getFunction("c", "syscall");
        int process = syscall.invokeInt(new Object[] {PIDFD_OPEN, pid, 0});
        int taken = syscall.invokeInt(new Object[] {PIDFD_GETFD, process, fd, 0});
        if (taken < 0) {
            throw new IllegalStateException("the parent's descriptor cannot be taken: pidfd=" + process);
        }
        return taken;
    }
}
