package io.tutti.actors.protocol.rank;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.Stage;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.op.CallDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a rank's shell carries out. */
public sealed interface RankCommand {

    /** Send to the communicator's coordinator. */
    record Send(CoordinatorMessage message) implements RankCommand {}

    /** Start the timer, replacing one that runs. */
    record StartTimer(RankTimer timer, Duration delay) implements RankCommand {}

    /** Cancel the timer if it runs. */
    record CancelTimer(RankTimer timer) implements RankCommand {}

    /**
     * Carry out the stage on the device and answer with {@link RankEvent.StageFinished}, whatever happens.
     *
     * @param agreed plan and facts, empty at {@link Stage#IDENTITY}
     * @param offers all ranks' offers at {@link Stage#IMPORT}, otherwise empty
     * @param timeout how long it may take
     */
    record Perform(EpochId epoch, Stage stage, Optional<Agreed> agreed, List<MemoryOffer> offers, Duration timeout)
            implements RankCommand {
        public Perform {
            offers = List.copyOf(offers);
        }
    }

    /** From now on the device may launch in the epoch; users are not told yet. */
    record EnterEpoch(EpochId epoch, Agreed agreed) implements RankCommand {}

    /** All ranks have entered: users may see the epoch, and their calls are launched in it. */
    record AnnounceCommitted(EpochId epoch, Agreed agreed) implements RankCommand {}

    /** Write the epoch into the rank's own slot of its own pad, so that no kernel of it stays there. */
    record PoisonPad(EpochId epoch) implements RankCommand {}

    /** Let every kernel of the epoch leave, on this rank and on its peers, and launch nothing more in it. */
    record AbortDevice(EpochId epoch, ErrorInfo cause) implements RankCommand {}

    /**
     * After whatever stage is being carried out, synchronise the rank's streams and answer with
     * {@link RankEvent.DeviceDrained}.
     */
    record DrainDevice(EpochId epoch) implements RankCommand {}

    /**
     * Calls of users that did not complete in the epoch end with this error.
     *
     * @param pending each rank's first call that did not complete, where known
     * @param resubmittable whether the call that failed may be made again
     */
    record EndEpoch(EpochId epoch, ErrorInfo cause, Map<Integer, CallDescriptor> pending, boolean resubmittable)
            implements RankCommand {}

    /** Give back everything that the epoch took on this rank: nobody writes to it any more. */
    record ReleaseEpoch(EpochId epoch) implements RankCommand {}

    /**
     * Unmap what the epoch took and count it as lost, since some rank may still write to it; never use it again. Where
     * the device has not drained either, leave it mapped.
     *
     * @param undrained the ranks that may still write
     */
    record AbandonEpoch(EpochId epoch, Set<Integer> undrained) implements RankCommand {
        public AbandonEpoch {
            undrained = Set.copyOf(undrained);
        }
    }

    /** The coordinator has forgotten what was refused: tell who asked for it. */
    record AnnounceForgotten() implements RankCommand {}

    /** The rank has failed for good, or is closed (code CLOSED); the last command of its life. */
    record Finish(ErrorInfo cause) implements RankCommand {}
}
