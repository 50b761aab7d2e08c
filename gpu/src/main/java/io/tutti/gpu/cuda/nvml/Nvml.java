package io.tutti.gpu.cuda.nvml;

import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.FabricInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What NVIDIA's management library knows and the driver does not tell: NVLink domains, links, MIG slices, confidential
 * computing. A fact that cannot be had is an answer too, since nothing but what needs it suffers. Safe for any thread.
 */
public final class Nvml implements AutoCloseable {

    static final String NOT_SUPPORTED = "not-supported";

    private static final Logger LOG = LoggerFactory.getLogger(Nvml.class);
    private static final int MOST_LINKS = 18;
    private static final FabricInfo NO_FABRIC = new FabricInfo(FabricInfo.NO_CLUSTER, 0, NOT_SUPPORTED);

    private @Nullable NvmlCalls calls;

    Nvml(@Nullable NvmlCalls calls) {
        this.calls = calls != null && calls.nvmlInit_v2() == NvmlCalls.SUCCESS ? calls : null;
    }

    /** Loads the library, or does without. */
    public static Nvml open() {
        try {
            return new Nvml(new NvmlLibrary());
        } catch (LinkageError | RuntimeException e) {
            LOG.debug("no facts of the management library: {} cannot be used", NvmlLibrary.NAME, e);
            return new Nvml(null);
        }
    }

    /** The NVLink domain of the device at a PCI address. */
    public synchronized FabricInfo fabricInfo(String pciBusId) {
        NvmlCalls open = calls;
        long[] device = new long[1];
        if (open == null || !find(open, pciBusId, device)) {
            return NO_FABRIC;
        }
        byte[] versioned = FabricStruct.versioned();
        if (open.nvmlDeviceGetGpuFabricInfoV(device[0], versioned) == NvmlCalls.SUCCESS) {
            return FabricStruct.readVersioned(versioned);
        }
        byte[] info = new byte[FabricStruct.BYTES];
        return open.nvmlDeviceGetGpuFabricInfo(device[0], info) == NvmlCalls.SUCCESS
                ? FabricStruct.read(info)
                : NO_FABRIC;
    }

    /** Whether a UUID, without its prefix, is that of a MIG slice and not of a whole device. */
    public synchronized boolean isMig(String bareUuid) {
        NvmlCalls open = calls;
        return open != null && open.nvmlDeviceGetHandleByUUID("MIG-" + bareUuid, new long[1]) == NvmlCalls.SUCCESS;
    }

    /** Whether the devices of this machine compute confidentially. */
    public synchronized ConfidentialComputing confidentialComputing() {
        NvmlCalls open = calls;
        int[] state = new int[3];
        if (open == null || open.nvmlSystemGetConfComputeState(state) != NvmlCalls.SUCCESS) {
            return ConfidentialComputing.UNKNOWN;
        }
        return state[1] == 0 ? ConfidentialComputing.OFF : ConfidentialComputing.ON;
    }

    /**
     * What the link from a device to the slowest of its peers promises, in bytes a second; 0 where nothing is known. Without
     * a peer here it is what its NVLinks promise, through which peers of other hosts are reached.
     *
     * @param pciBusId the device
     * @param peers PCI addresses of its peers on this machine
     * @param computeCapability major × 10 + minor of the device
     */
    public synchronized long peerBytesPerSecond(String pciBusId, List<String> peers, int computeCapability) {
        NvmlCalls open = calls;
        long[] device = new long[1];
        if (open == null || !find(open, pciBusId, device)) {
            return 0;
        }
        long nvLink = LinkRates.nvLink(activeLinks(open, device[0]), computeCapability);
        boolean allByNvLink = nvLink > 0 && peers.stream().allMatch(peer -> joinedByNvLink(open, device[0], peer));
        return allByNvLink ? nvLink : pcie(open, device[0]);
    }

    private static int activeLinks(NvmlCalls open, long device) {
        int links = 0;
        int[] active = new int[1];
        for (int link = 0; link < MOST_LINKS; link++) {
            if (open.nvmlDeviceGetNvLinkState(device, link, active) == NvmlCalls.SUCCESS) {
                links += active[0];
            }
        }
        return links;
    }

    private static boolean joinedByNvLink(NvmlCalls open, long device, String peer) {
        long[] other = new long[1];
        int[] status = new int[1];
        return find(open, peer, other)
                && open.nvmlDeviceGetP2PStatus(device, other[0], NvmlCalls.P2P_CAPS_INDEX_NVLINK, status)
                        == NvmlCalls.SUCCESS
                && status[0] == 0;
    }

    private static long pcie(NvmlCalls open, long device) {
        int[] generation = new int[1];
        int[] lanes = new int[1];
        boolean known = open.nvmlDeviceGetMaxPcieLinkGeneration(device, generation) == NvmlCalls.SUCCESS
                && open.nvmlDeviceGetMaxPcieLinkWidth(device, lanes) == NvmlCalls.SUCCESS;
        return known ? LinkRates.pcie(generation[0], lanes[0]) : 0;
    }

    private static boolean find(NvmlCalls open, String pciBusId, long[] device) {
        return open.nvmlDeviceGetHandleByPciBusId_v2(pciBusId, device) == NvmlCalls.SUCCESS;
    }

    @Override
    public synchronized void close() {
        NvmlCalls open = calls;
        calls = null;
        if (open != null && open.nvmlShutdown() != NvmlCalls.SUCCESS) {
            LOG.debug("{} did not shut down", NvmlLibrary.NAME);
        }
    }
}
