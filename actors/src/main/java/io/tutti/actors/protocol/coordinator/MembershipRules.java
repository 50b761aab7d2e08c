package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.CoordinatorMessage.ClaimRefused;
import io.tutti.actors.protocol.CoordinatorMessage.Drained;
import io.tutti.actors.protocol.CoordinatorMessage.Hello;
import io.tutti.actors.protocol.CoordinatorMessage.Promised;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.Sorted;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Claiming;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Committing;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.EndReason;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Ending;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Forming;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Gathering;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Running;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Standby;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.Term;
import io.tutti.gpu.plan.EpochPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Who the ranks are, and whose word they have promised to follow: the phases Gathering, Claiming and Pausing. */
final class MembershipRules {

    private final FormingRules forming;
    private final EndingRules ending;

    MembershipRules(FormingRules forming, EndingRules ending) {
        this.forming = forming;
        this.ending = ending;
    }

    /** A rank says that it is there; new incarnations are counted on, and take the place of older ones. */
    void hello(Step step, Hello hello) {
        Incarnation from = hello.from();
        step.heardOf(hello.promised());
        Optional<ErrorInfo> disagreement = Errors.disagreement(step.config, step.present(), hello);
        if (step.retired(from)) {
            refuse(step, hello, Errors.superseded(step.config, from));
        } else if (step.counts(from) && !(step.phase instanceof Standby)) {
            step.send(new RankMessage.Welcome(step.term(), from));
        } else if (disagreement.isPresent()) {
            if (step.phase instanceof Gathering) {
                TerminalRules.fail(step, disagreement.get());
            }
            refuse(step, hello, disagreement.get());
        } else {
            @Nullable Incarnation former = step.present().get(from.rank());
            if (former != null) {
                step.retire(former, Errors.replaced(step.config, former));
            }
            step.join(from);
            if (!(step.phase instanceof Standby)) {
                step.send(new RankMessage.Welcome(step.term(), from));
            }
            joined(step, from);
        }
    }

    private void joined(Step step, Incarnation rank) {
        if (step.phase instanceof Gathering) {
            if (step.complete()) {
                claim(step);
            }
        } else if (step.phase instanceof Claiming) {
            claim(step);
        } else {
            memberGone(step, Errors.replaced(step.config, rank));
        }
    }

    private static void refuse(Step step, Hello hello, ErrorInfo cause) {
        Term term = hello.promised().isAfter(step.term()) ? hello.promised() : step.term();
        step.send(new RankMessage.Failed(term, hello.from(), cause));
    }

    /** An incarnation that was counted on is not any more. */
    void memberGone(Step step, ErrorInfo cause) {
        if (step.phase instanceof Claiming) {
            gather(step, Optional.of(cause));
        } else {
            endEpoch(step, new EndReason.MemberLost(cause));
        }
    }

    /** A member drained without having been asked: it has stopped waiting, and the epoch cannot go on without it. */
    void leftEpoch(Step step, Drained drained) {
        if (current(step).filter(drained.epoch()::equals).isPresent()) {
            endEpoch(
                    step,
                    new EndReason.MemberLost(
                            Errors.stoppedWaiting(drained.from().rank())));
        }
    }

    /** The communicator is closed as soon as nobody can write to anybody's memory any more. */
    void close(Step step, ErrorInfo cause) {
        if (step.phase instanceof Ending e) {
            ending.close(step, e, cause);
        } else if (!endEpoch(step, new EndReason.Closing(cause))) {
            TerminalRules.close(step, cause);
        }
    }

    private boolean endEpoch(Step step, EndReason reason) {
        Optional<EpochId> epoch = current(step);
        epoch.ifPresent(id -> ending.begin(step, id, plan(step), reason));
        return epoch.isPresent();
    }

    private static Optional<EpochId> current(Step step) {
        if (step.phase instanceof Forming f) {
            return Optional.of(f.epoch());
        } else if (step.phase instanceof Committing c) {
            return Optional.of(c.epoch());
        } else if (step.phase instanceof Running r) {
            return Optional.of(r.epoch());
        }
        return Optional.empty();
    }

    private static Optional<EpochPlan> plan(Step step) {
        if (step.phase instanceof Forming f) {
            return f.plan();
        } else if (step.phase instanceof Committing c) {
            return Optional.of(c.plan());
        } else if (step.phase instanceof Running r) {
            return Optional.of(r.plan());
        }
        return Optional.empty();
    }

    /** Waits for all ranks' hellos, or goes on at once when they are all present. */
    void gather(Step step, Optional<ErrorInfo> cause) {
        step.phase = new Gathering(cause);
        step.noResend();
        step.deadline(step.config.timing().gather());
        if (step.complete()) {
            claim(step);
        }
    }

    void gatheringExpired(Step step, Gathering gathering) {
        TerminalRules.fail(step, Errors.missing(step.config, step.present(), gathering.cause()));
    }

    /** Asks all present incarnations to promise the next term. */
    private void claim(Step step) {
        if (step.history.claims() >= step.config.limits().claims()) {
            TerminalRules.fail(step, Errors.claimsSpent(step.config, step.history));
            return;
        }
        step.history = step.history.claimed();
        step.takeTerm();
        step.phase = new Claiming(Sorted.copy(Map.of()));
        step.deadline(step.config.timing().claim());
        step.resend();
        step.present().values().forEach(rank -> step.send(new RankMessage.Claim(step.term(), rank)));
    }

    void claimAgain(Step step, Claiming claiming) {
        for (Incarnation rank : step.present().values()) {
            if (!claiming.promises().containsKey(rank.rank())) {
                step.send(new RankMessage.Claim(step.term(), rank));
            }
        }
        step.resend();
    }

    void claimExpired(Step step, Claiming claiming) {
        List<Incarnation> silent = new ArrayList<>(step.present().values());
        silent.removeIf(rank -> claiming.promises().containsKey(rank.rank()));
        ErrorInfo cause = Errors.silent(
                step.config, silent.get(0).rank(), "claim", step.config.timing().claim());
        silent.forEach(rank -> step.drop(rank, cause));
        gather(step, Optional.of(cause));
    }

    /** The last promise gives the term: what a predecessor left is ended first, then an epoch is formed. */
    void promised(Step step, Claiming claiming, Promised promised) {
        if (!promised.term().equals(step.term())) {
            return;
        }
        SortedMap<Integer, Promised> promises =
                Sorted.with(claiming.promises(), promised.from().rank(), promised);
        step.phase = new Claiming(promises);
        step.heardOfEpoch(promised.highestEpoch());
        if (promises.size() == step.config.worldSize()) {
            step.lead();
            if (promises.values().stream().anyMatch(promise -> promise.held().isPresent())) {
                ending.inherit(step, promises);
            } else {
                proceed(step);
            }
        }
    }

    /** Somebody else's higher term: one that has led steps back, one that has not claims above it. */
    void refused(Step step, ClaimRefused refused) {
        if (!refused.claimed().equals(step.term()) || !refused.highest().isAfter(step.term())) {
            return;
        }
        step.heardOf(refused.highest());
        if (step.led()) {
            standBy(step, refused.highest());
        } else if (step.phase instanceof Claiming) {
            claim(step);
        }
    }

    private static void standBy(Step step, Term by) {
        step.stepBack();
        step.phase = new Standby(by);
        step.noResend();
        step.deadline(step.config.timing().gather());
        step.publish(new CoordinatorNotice.SteppedBack(by));
    }

    /** Ranks that said hello here since then have nobody else. */
    void standbyExpired(Step step, Standby standby) {
        if (step.present().isEmpty()) {
            TerminalRules.supersede(step, standby.by());
        } else {
            gather(step, Optional.empty());
        }
    }

    /** Nothing is held any more: form the next epoch, or first do what that needs. */
    void proceed(Step step) {
        if (!step.leaving().isEmpty()) {
            TerminalRules.close(step, Errors.closed(step.config, step.leaving().first()));
        } else if (!step.complete()) {
            gather(step, step.history.lastCause());
        } else if (!step.promised()) {
            claim(step);
        } else {
            forming.begin(step);
        }
    }
}
