package io.tutti.gpu.cuda.nvml;

/**
 * The management library's functions that are asked, by their own names. Each answers the library's code; what the
 * installed library lacks answers {@link #FUNCTION_NOT_FOUND}.
 */
interface NvmlCalls {

    int SUCCESS = 0;

    /** {@code NVML_ERROR_FUNCTION_NOT_FOUND}. */
    int FUNCTION_NOT_FOUND = 13;

    /** {@code NVML_P2P_CAPS_INDEX_NVLINK}. */
    int P2P_CAPS_INDEX_NVLINK = 2;

    int nvmlInit_v2();

    int nvmlShutdown();

    int nvmlDeviceGetHandleByPciBusId_v2(String pciBusId, long[] device);

    int nvmlDeviceGetHandleByUUID(String uuid, long[] device);

    int nvmlDeviceGetGpuFabricInfo(long device, byte[] info);

    /** The same with a version before it and the health after it. */
    int nvmlDeviceGetGpuFabricInfoV(long device, byte[] info);

    /** @param state environment, feature, development mode */
    int nvmlSystemGetConfComputeState(int[] state);

    int nvmlDeviceGetP2PStatus(long device, long peer, int capability, int[] status);

    int nvmlDeviceGetNvLinkState(long device, int link, int[] active);

    int nvmlDeviceGetMaxPcieLinkGeneration(long device, int[] generation);

    int nvmlDeviceGetMaxPcieLinkWidth(long device, int[] lanes);
}
