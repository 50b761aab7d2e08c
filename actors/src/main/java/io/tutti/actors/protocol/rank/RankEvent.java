package io.tutti.actors.protocol.rank;

import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.op.CallDescriptor;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What can happen to a rank. */
public sealed interface RankEvent {

    /** A coordinator's message arrived. */
    record Received(RankMessage message) implements RankEvent {}

    /** A timer that was started, and neither cancelled nor replaced since, fired. */
    record TimerFired(RankTimer timer) implements RankEvent {}

    /** The device has finished what {@link RankCommand.Perform} asked for, well or badly. */
    record StageFinished(EpochId epoch, Stage stage, StageOutcome outcome) implements RankEvent {}

    /**
     * A call ended without success on this rank's device.
     *
     * @param missingRank the rank that did not arrive or whose call did not match, or null
     */
    record CallFailed(
            EpochId epoch, long sequence, @Nullable Integer missingRank, ErrorInfo error) implements RankEvent {}

    /**
     * The device has done what {@link RankCommand.DrainDevice} asked for; the last event of its epoch.
     *
     * @param retired the last sequence that completed with success, or 0
     * @param pending the first call that did not, if one was made
     */
    record DeviceDrained(EpochId epoch, long retired, Optional<CallDescriptor> pending) implements RankEvent {}

    /** A user wants what was refused to be tried again. */
    record ForgetRequested() implements RankEvent {}

    /** The rank is to leave: its user closed the communicator, and what it called has completed or failed. */
    record LeaveRequested() implements RankEvent {}
}
