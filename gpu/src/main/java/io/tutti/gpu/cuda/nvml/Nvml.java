package io.tutti.gpu.cuda.nvml;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import io.tutti.gpu.driver.FabricInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code nvmlDeviceGetGpuFabricInfo}, where the library is there and knows it. A fact that cannot be had is the fact that
 * there is no fabric: nothing but the fabric path needs it. Safe for any thread.
 */
public final class Nvml implements AutoCloseable {

    /** Bound to the library; replaced by a test. */
    interface Calls {
        int nvmlInit_v2();

        int nvmlShutdown();

        int nvmlDeviceGetHandleByPciBusId_v2(String pciBusId, long[] device);

        int nvmlDeviceGetGpuFabricInfo(long device, byte[] info);
    }

    private static final class Bound implements Calls {
        @Override
        public native int nvmlInit_v2();

        @Override
        public native int nvmlShutdown();

        @Override
        public native int nvmlDeviceGetHandleByPciBusId_v2(String pciBusId, long[] device);

        @Override
        public native int nvmlDeviceGetGpuFabricInfo(long device, byte[] info);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Nvml.class);
    private static final String LIBRARY = "libnvidia-ml.so.1";
    private static final String NOT_SUPPORTED = "not-supported";

    // nvmlGpuFabricInfo_t: the cluster's UUID, the fabric manager's status, the clique, the state, padding.
    private static final int STATUS = 16;
    private static final int CLIQUE = 20;
    private static final int STATE = 24;
    private static final int INFO_BYTES = 28;

    private @Nullable Calls calls;

    Nvml(@Nullable Calls calls) {
        this.calls = calls != null && calls.nvmlInit_v2() == 0 ? calls : null;
    }

    /** Loads the library, or does without. */
    public static Nvml open() {
        try {
            Native.register(Bound.class, NativeLibrary.getInstance(LIBRARY));
            return new Nvml(new Bound());
        } catch (LinkageError | RuntimeException e) {
            LOG.debug("no fabric facts: {} cannot be used", LIBRARY, e);
            return new Nvml(null);
        }
    }

    /** The NVLink domain of the device at a PCI address. */
    public synchronized FabricInfo fabricInfo(String pciBusId) {
        Calls open = calls;
        long[] device = new long[1];
        byte[] info = new byte[INFO_BYTES];
        if (open == null
                || open.nvmlDeviceGetHandleByPciBusId_v2(pciBusId, device) != 0
                || open.nvmlDeviceGetGpuFabricInfo(device[0], info) != 0) {
            return new FabricInfo(FabricInfo.NO_CLUSTER, 0, NOT_SUPPORTED);
        }
        ByteBuffer uuid = ByteBuffer.wrap(info);
        ByteBuffer rest = ByteBuffer.wrap(info).order(ByteOrder.nativeOrder());
        return new FabricInfo(
                new UUID(uuid.getLong(), uuid.getLong()).toString(),
                rest.getInt(CLIQUE),
                state(info[STATE], rest.getInt(STATUS)));
    }

    private static String state(byte state, int status) {
        return switch (state) {
            case 1 -> "not-started";
            case 2 -> "in-progress";
            case 3 -> status == 0 ? "completed" : "failed";
            default -> NOT_SUPPORTED;
        };
    }

    @Override
    public synchronized void close() {
        Calls open = calls;
        calls = null;
        if (open != null && open.nvmlShutdown() != 0) {
            LOG.debug("{} did not shut down", LIBRARY);
        }
    }
}
