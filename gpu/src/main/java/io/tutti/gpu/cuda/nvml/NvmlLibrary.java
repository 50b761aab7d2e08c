package io.tutti.gpu.cuda.nvml;

import com.sun.jna.NativeLibrary;

/** The installed library. Functions are looked up one by one, so that an older library lacks only what it lacks. */
final class NvmlLibrary implements NvmlCalls {

    static final String NAME = "libnvidia-ml.so.1";

    private final NativeLibrary library;

    /** @throws UnsatisfiedLinkError when there is none */
    NvmlLibrary() {
        library = NativeLibrary.getInstance(NAME);
    }

    private int call(String function, Object... arguments) {
        try {
            return library.getFunction(function).invokeInt(arguments);
        } catch (UnsatisfiedLinkError e) {
            return FUNCTION_NOT_FOUND;
        }
    }

    @Override
    public int nvmlInit_v2() {
        return call("nvmlInit_v2");
    }

    @Override
    public int nvmlShutdown() {
        return call("nvmlShutdown");
    }

    @Override
    public int nvmlDeviceGetHandleByPciBusId_v2(String pciBusId, long[] device) {
        return call("nvmlDeviceGetHandleByPciBusId_v2", pciBusId, device);
    }

    @Override
    public int nvmlDeviceGetHandleByUUID(String uuid, long[] device) {
        return call("nvmlDeviceGetHandleByUUID", uuid, device);
    }

    @Override
    public int nvmlDeviceGetGpuFabricInfo(long device, byte[] info) {
        return call("nvmlDeviceGetGpuFabricInfo", device, info);
    }

    @Override
    public int nvmlDeviceGetGpuFabricInfoV(long device, byte[] info) {
        return call("nvmlDeviceGetGpuFabricInfoV", device, info);
    }

    @Override
    public int nvmlSystemGetConfComputeState(int[] state) {
        return call("nvmlSystemGetConfComputeState", (Object) state);
    }

    @Override
    public int nvmlDeviceGetP2PStatus(long device, long peer, int capability, int[] status) {
        return call("nvmlDeviceGetP2PStatus", device, peer, capability, status);
    }

    @Override
    public int nvmlDeviceGetNvLinkState(long device, int link, int[] active) {
        return call("nvmlDeviceGetNvLinkState", device, link, active);
    }

    @Override
    public int nvmlDeviceGetMaxPcieLinkGeneration(long device, int[] generation) {
        return call("nvmlDeviceGetMaxPcieLinkGeneration", device, generation);
    }

    @Override
    public int nvmlDeviceGetMaxPcieLinkWidth(long device, int[] lanes) {
        return call("nvmlDeviceGetMaxPcieLinkWidth", device, lanes);
    }
}
