package io.tutti.benchmarks.stats;

/**
 * Bandwidths as nccl-tests defines them for all-reduce, in GB/s (10⁹ bytes).
 *
 * @param algorithm bytes of one rank's tensor over the time
 * @param bus the algorithm bandwidth × 2(n − 1)/n: what an ideal ring puts on each link, comparable between world sizes
 */
public record Bandwidth(double algorithm, double bus) {

    /** @param bytes of one rank's partial */
    public static Bandwidth of(long bytes, double micros, int worldSize) {
        double algorithm = bytes / micros / 1000.0;
        return new Bandwidth(algorithm, algorithm * 2 * (worldSize - 1) / worldSize);
    }
}
