package io.tutti.actors.protocol.rank;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.Transition;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One transition while it is being computed: the state so far and the commands so far. It lives for one call of the
 * core and never leaves it.
 */
final class RankStep {

    final RankConfig config;

    RankPhase phase;
    Term promised;
    boolean leaving;
    boolean forgetting;
    private long highestEpoch;
    private Optional<EpochId> drained;
    private final List<RankCommand> commands = new ArrayList<>();

    RankStep(RankConfig config, RankState from) {
        this.config = config;
        phase = from.phase();
        promised = from.promised();
        leaving = from.leaving();
        forgetting = from.forgetting();
        highestEpoch = from.highestEpoch();
        drained = from.drained();
    }

    Transition<RankState, RankCommand> done() {
        return new Transition<>(new RankState(phase, promised, highestEpoch, drained, leaving, forgetting), commands);
    }

    boolean holds(EpochId epoch) {
        return phase.held().filter(epoch::equals).isPresent();
    }

    long highestEpoch() {
        return highestEpoch;
    }

    void heardOf(EpochId epoch) {
        highestEpoch = Math.max(highestEpoch, epoch.epoch());
    }

    Optional<EpochId> drained() {
        return drained;
    }

    void drained(EpochId epoch) {
        if (drained.isEmpty() || drained.get().epoch() < epoch.epoch()) {
            drained = Optional.of(epoch);
        }
    }

    void send(CoordinatorMessage message) {
        commands.add(new RankCommand.Send(message));
    }

    void command(RankCommand command) {
        commands.add(command);
    }

    void start(RankTimer timer, Duration delay) {
        commands.add(new RankCommand.StartTimer(timer, delay));
    }

    void cancel(RankTimer timer) {
        commands.add(new RankCommand.CancelTimer(timer));
    }

    void patience(Duration besides) {
        start(RankTimer.PATIENCE, config.timing().patience().plus(besides));
    }

    void resend() {
        start(RankTimer.RESEND, config.timing().resend());
    }
}
