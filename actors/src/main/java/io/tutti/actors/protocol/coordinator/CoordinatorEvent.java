package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.gpu.ErrorInfo;

/** What can happen to a coordinator. */
public sealed interface CoordinatorEvent {

    /** A rank's message arrived. */
    record Received(CoordinatorMessage message) implements CoordinatorEvent {}

    /** A timer that was started, and neither cancelled nor replaced since, fired. */
    record TimerFired(CoordinatorTimer timer) implements CoordinatorEvent {}

    /**
     * An incarnation is lost.
     *
     * @param reaped whether its process is known to have ended, so that no kernel of it will store again; lost contact
     *     alone proves nothing
     * @param cause who noticed it and how
     */
    record RankLost(Incarnation rank, boolean reaped, ErrorInfo cause) implements CoordinatorEvent {}

    /** The communicator is to be closed, without waiting for its ranks to leave. */
    record CloseRequested(ErrorInfo cause) implements CoordinatorEvent {}
}
