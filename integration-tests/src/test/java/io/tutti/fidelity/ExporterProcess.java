package io.tutti.fidelity;

import io.tutti.gpu.driver.CuContext;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;

/** A process that shares plain memory of a device by legacy IPC until it is ended. */
final class ExporterProcess implements Subject.Exporter {

    private static final int SECONDS = 60;
    private static final String HANDLE = "handle ";

    private final ChildJvm process;
    private final byte[] handle;

    private ExporterProcess(ChildJvm process, byte[] handle) {
        this.process = process;
        this.handle = handle;
    }

    static ExporterProcess start(int device) {
        ChildJvm process = ChildJvm.start(ExporterProcess.class, List.of(Integer.toString(device)));
        try {
            String line = process.line(SECONDS);
            while (line != null && !line.startsWith(HANDLE)) {
                line = process.line(SECONDS);
            }
            if (line == null) {
                throw new IllegalStateException("the exporting process ended: status=" + process.status());
            }
            return new ExporterProcess(process, HexFormat.of().parseHex(line.substring(HANDLE.length())));
        } catch (ChildJvm.LateException e) {
            process.close();
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            process.close();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Argument: the device. Prints the handle and lives until its input ends. */
    public static void main(String[] arguments) throws IOException {
        int device = Integer.parseInt(arguments[0]);
        try (CudaSubject subject = CudaSubject.open()) {
            CuContext context = subject.driver().primaryCtxRetain(device);
            subject.driver().ctxSetCurrent(context);
            long pointer = subject.driver().memAlloc(Bench.MIB);
            System.out.println(
                    HANDLE + HexFormat.of().formatHex(subject.driver().ipcGetMemHandle(pointer)));
            System.out.flush();
            while (System.in.read() >= 0) {
                // Nothing to say; the parent's end ends this too.
            }
        }
    }

    @Override
    public byte[] handle() {
        return handle.clone();
    }

    @Override
    public void close() {
        process.close();
    }
}
