package io.tutti.actors.protocol.rank;

import io.tutti.actors.protocol.CoordinatorMessage.Drained;
import io.tutti.actors.protocol.CoordinatorMessage.OperationFailed;
import io.tutti.actors.protocol.CoordinatorMessage.StageAnswer;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import java.util.Optional;
import java.util.Set;

/** What a rank is doing. */
public sealed interface RankPhase {

    /** The epoch whose resources the rank holds. */
    default Optional<EpochId> held() {
        return Optional.empty();
    }

    /** Nobody has answered its hello yet. */
    record Greeting() implements RankPhase {}

    /** Known to a coordinator, and in no epoch. */
    record Idle() implements RankPhase {}

    /**
     * At a stage of forming an epoch.
     *
     * @param agreed empty until the rank's own plan has the coordinator's hash
     * @param answer empty while the device is at work
     */
    record Working(EpochId epoch, Stage stage, Optional<Agreed> agreed, Optional<StageOutcome> answer)
            implements RankPhase {
        @Override
        public Optional<EpochId> held() {
            return Optional.of(epoch);
        }
    }

    /** Armed, and waiting for the commit. */
    record Armed(EpochId epoch, Agreed agreed) implements RankPhase {
        @Override
        public Optional<EpochId> held() {
            return Optional.of(epoch);
        }
    }

    /** Committed here; waiting to hear that all others are too. */
    record Entered(EpochId epoch, Agreed agreed) implements RankPhase {
        @Override
        public Optional<EpochId> held() {
            return Optional.of(epoch);
        }
    }

    /** Users' calls run. */
    record Running(EpochId epoch, Agreed agreed) implements RankPhase {
        @Override
        public Optional<EpochId> held() {
            return Optional.of(epoch);
        }
    }

    /**
     * The epoch has ended here: the device drains, and then the rank waits to hear whether all others have.
     *
     * @param report this rank's own words about what failed
     * @param refusal of the commit, where the rank stopped waiting for it
     * @param drained what the rank answered, empty until the device has drained
     * @param undrained the ranks that may still write to the epoch's memory, empty until the rank has heard that the
     *     epoch ended or has stopped waiting for that
     * @param last why the rank ends for good after this, or empty when it goes on
     */
    record Draining(
            EpochId epoch,
            Optional<OperationFailed> report,
            Optional<StageAnswer> refusal,
            Optional<Drained> drained,
            Optional<Set<Integer>> undrained,
            Optional<ErrorInfo> last)
            implements RankPhase {
        @Override
        public Optional<EpochId> held() {
            return Optional.of(epoch);
        }
    }

    /** Failed for good or closed. */
    record Finished(ErrorInfo cause) implements RankPhase {}
}
