package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.RankMessage;
import java.time.Duration;

/** What the coordinator's shell carries out. */
public sealed interface CoordinatorCommand {

    /** Send to the incarnation that the message names; dropped when that incarnation cannot be reached. */
    record Send(RankMessage message) implements CoordinatorCommand {}

    /** Start the timer, replacing one that runs. */
    record StartTimer(CoordinatorTimer timer, Duration delay) implements CoordinatorCommand {}

    /** Cancel the timer if it runs. */
    record CancelTimer(CoordinatorTimer timer) implements CoordinatorCommand {}

    /** Tell logs and users. */
    record Publish(CoordinatorNotice notice) implements CoordinatorCommand {}
}
