package io.tutti.benchmarks.forming;

/**
 * What was measured of one size: medians over its rounds.
 *
 * @param size what was formed
 * @param startMillis from the start of the runtime until every communicator could be used
 * @param formingMillis from the first stage's order until all ranks were in the epoch, of the slowest communicator
 * @param messagesPerRank protocol messages to and from a rank until it was in its epoch
 */
public record FormingRow(FormingSize size, double startMillis, double formingMillis, double messagesPerRank) {

    /** The time of forming, for each rank. */
    public double microsPerRank() {
        return formingMillis * 1_000 / size.allRanks();
    }
}
