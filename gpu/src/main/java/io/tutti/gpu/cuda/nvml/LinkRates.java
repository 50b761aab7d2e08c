package io.tutti.gpu.cuda.nvml;

/** What links promise by their kind, in bytes a second and one direction. */
final class LinkRates {

    /** By generation, from 1; what remains of the line rate after its coding. */
    private static final long[] PCIE_LANE = {
        250_000_000L, 500_000_000L, 985_000_000L, 1_969_000_000L, 3_938_000_000L, 7_563_000_000L
    };

    /** From Blackwell on a link is twice as fast as on Ampere and Hopper. */
    private static final int FAST_LINKS_CAPABILITY = 100;

    private static final long NVLINK = 25_000_000_000L;
    private static final long FAST_NVLINK = 50_000_000_000L;

    private LinkRates() {}

    static long nvLink(int activeLinks, int computeCapability) {
        return activeLinks * (computeCapability >= FAST_LINKS_CAPABILITY ? FAST_NVLINK : NVLINK);
    }

    /** 0 for a generation that is not known. */
    static long pcie(int generation, int lanes) {
        return generation < 1 || generation > PCIE_LANE.length ? 0 : PCIE_LANE[generation - 1] * lanes;
    }
}
