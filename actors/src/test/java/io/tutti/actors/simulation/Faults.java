package io.tutti.actors.simulation;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.CoordinatorMessage.CommitAcknowledged;
import io.tutti.actors.protocol.CoordinatorMessage.Drained;
import io.tutti.actors.protocol.CoordinatorMessage.Promised;
import io.tutti.actors.protocol.CoordinatorMessage.StageAnswer;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.Machine;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.actors.protocol.RankMessage.Abort;
import io.tutti.actors.protocol.RankMessage.Commit;
import io.tutti.actors.protocol.RankMessage.EpochEnded;
import io.tutti.actors.protocol.RankMessage.StageOrder;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.actors.protocol.Transition;
import io.tutti.actors.protocol.coordinator.CoordinatorCommand;
import io.tutti.actors.protocol.coordinator.CoordinatorConfig;
import io.tutti.actors.protocol.coordinator.CoordinatorEvent;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Claiming;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Committing;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Ending;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.Forming;
import io.tutti.actors.protocol.coordinator.CoordinatorState;
import io.tutti.actors.protocol.coordinator.CoordinatorTimer;
import io.tutti.actors.protocol.rank.RankCommand;
import io.tutti.actors.protocol.rank.RankConfig;
import io.tutti.actors.protocol.rank.RankEvent;
import io.tutti.actors.protocol.rank.RankState;
import io.tutti.gpu.EpochId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Deliberate faults: each makes the product's core behave as if one of its checks were missing, from outside, by what it
 * is fed and by what becomes of its commands.
 */
enum Faults implements Cores {
    /** A rank takes what is meant for another epoch as meant for its own. */
    RANK_IGNORES_EPOCH {
        @Override
        RankEvent heard(RankConfig config, RankState state, RankEvent event) {
            Optional<EpochId> held = state.phase().held();
            if (held.isEmpty() || !(event instanceof RankEvent.Received received)) {
                return event;
            }
            return new RankEvent.Received(ofEpoch(received.message(), held.get()));
        }
    },
    /** The coordinator counts answers of former epochs. */
    COORDINATOR_IGNORES_EPOCH {
        @Override
        List<CoordinatorEvent> heard(CoordinatorState state, CoordinatorEvent event) {
            if (event instanceof CoordinatorEvent.Received received) {
                EpochId current = epoch(state);
                if (current != null && received.message() instanceof StageAnswer a) {
                    return List.of(hear(new StageAnswer(a.from(), current, a.stage(), a.outcome())));
                } else if (current != null && received.message() instanceof Drained d) {
                    return List.of(hear(new Drained(d.from(), current, d.retired(), d.pending())));
                } else if (current != null && received.message() instanceof CommitAcknowledged c) {
                    return List.of(hear(new CommitAcknowledged(c.from(), current)));
                }
            }
            return List.of(event);
        }
    },
    /** The coordinator commits when the first rank is armed. */
    COMMIT_BEFORE_ALL_VOTES {
        @Override
        List<CoordinatorEvent> heard(CoordinatorState state, CoordinatorEvent event) {
            if (state.phase() instanceof Forming forming
                    && event instanceof CoordinatorEvent.Received received
                    && received.message() instanceof StageAnswer answer
                    && answer.stage() == Stage.ARM
                    && answer.epoch().equals(forming.epoch())) {
                return forAll(state, rank -> new StageAnswer(rank, answer.epoch(), Stage.ARM, new StageOutcome.Done()));
            }
            return List.of(event);
        }
    },
    /** The coordinator shows the epoch to users when the first rank has entered it. */
    VISIBLE_BEFORE_ALL_ACKNOWLEDGED {
        @Override
        List<CoordinatorEvent> heard(CoordinatorState state, CoordinatorEvent event) {
            if (state.phase() instanceof Committing committing
                    && event instanceof CoordinatorEvent.Received received
                    && received.message() instanceof CommitAcknowledged) {
                return forAll(state, rank -> new CommitAcknowledged(rank, committing.epoch()));
            }
            return List.of(event);
        }
    },
    /** A rank follows a coordinator whose term is not the one that it promised. */
    RANK_IGNORES_TERM {
        @Override
        RankState known(RankState state, RankEvent event) {
            boolean order = event instanceof RankEvent.Received received
                    && (received.message() instanceof StageOrder || received.message() instanceof Commit);
            return order
                    ? new RankState(
                            state.phase(),
                            ((RankEvent.Received) event).message().term(),
                            state.highestEpoch(),
                            state.drained(),
                            state.leaving(),
                            state.forgetting())
                    : state;
        }
    },
    /** The coordinator leads as soon as one rank has promised. */
    UNFENCED_COORDINATOR {
        @Override
        List<CoordinatorEvent> heard(CoordinatorState state, CoordinatorEvent event) {
            if (state.phase() instanceof Claiming
                    && event instanceof CoordinatorEvent.Received received
                    && received.message() instanceof Promised promised
                    && promised.term().equals(state.term())) {
                return forAll(
                        state,
                        rank -> new Promised(
                                rank, state.term(), promised.highestEpoch(), Optional.empty(), Optional.empty()));
            }
            return List.of(event);
        }
    },
    /** A doubled answer counts as the answer of the next rank. */
    DOUBLED_VOTE_COUNTS_TWICE {
        @Override
        List<CoordinatorEvent> heard(CoordinatorState state, CoordinatorEvent event) {
            if (state.phase() instanceof Forming forming
                    && event instanceof CoordinatorEvent.Received received
                    && received.message() instanceof StageAnswer answer
                    && answer.stage() == forming.stage()
                    && answer.epoch().equals(forming.epoch())
                    && answer.outcome() instanceof StageOutcome.Done
                    && forming.answers().containsKey(answer.from().rank())) {
                for (Incarnation rank : state.present().values()) {
                    if (!forming.answers().containsKey(rank.rank())) {
                        return List.of(hear(new StageAnswer(rank, answer.epoch(), answer.stage(), answer.outcome())));
                    }
                }
            }
            return List.of(event);
        }
    },
    /** The coordinator ends an epoch without waiting for anybody to drain. */
    ENDED_WITHOUT_DRAINED {
        @Override
        List<CoordinatorEvent> heard(CoordinatorState state, CoordinatorEvent event) {
            if (state.phase() instanceof Ending ending && event instanceof CoordinatorEvent.Received) {
                List<CoordinatorEvent> events = new ArrayList<>();
                ending.members()
                        .values()
                        .forEach(rank -> events.add(hear(new Drained(
                                rank,
                                ending.holding().getOrDefault(rank.rank(), newest(ending)),
                                0,
                                Optional.empty()))));
                return events;
            }
            return List.of(event);
        }
    },
    /** Lost contact counts as a process that has ended. */
    LOST_COUNTS_AS_REAPED {
        @Override
        List<CoordinatorEvent> heard(CoordinatorState state, CoordinatorEvent event) {
            return event instanceof CoordinatorEvent.RankLost lost
                    ? List.of(new CoordinatorEvent.RankLost(lost.rank(), true, lost.cause()))
                    : List.of(event);
        }
    },
    /** A rank gives its memory back as soon as it has drained itself. */
    EARLY_REUSE {
        @Override
        List<RankCommand> said(RankConfig config, RankEvent event, List<RankCommand> commands) {
            List<RankCommand> all = new ArrayList<>(commands);
            all.removeIf(RankCommand.ReleaseEpoch.class::isInstance);
            if (event instanceof RankEvent.DeviceDrained drained) {
                all.add(new RankCommand.ReleaseEpoch(drained.epoch()));
            }
            return all;
        }
    },
    /** A rank gives its memory back although another rank may still write to it. */
    RELEASE_DESPITE_UNDRAINED {
        @Override
        RankEvent heard(RankConfig config, RankState state, RankEvent event) {
            return event instanceof RankEvent.Received received && received.message() instanceof EpochEnded ended
                    ? new RankEvent.Received(new EpochEnded(
                            ended.term(),
                            ended.to(),
                            ended.epoch(),
                            ended.cause(),
                            Set.of(),
                            ended.pending(),
                            ended.resubmittable()))
                    : event;
        }
    },
    /** A rank acts on what was meant for a former life. */
    RANK_IGNORES_INCARNATION {
        @Override
        RankEvent heard(RankConfig config, RankState state, RankEvent event) {
            return event instanceof RankEvent.Received received
                    ? new RankEvent.Received(to(received.message(), config.self()))
                    : event;
        }
    },
    /** A rank stops waiting for a commit without poisoning its pad. */
    NOT_POISONED {
        @Override
        List<RankCommand> said(RankConfig config, RankEvent event, List<RankCommand> commands) {
            return without(commands, RankCommand.PoisonPad.class);
        }
    },
    /** Every failed call is said to be safe to repeat. */
    ALWAYS_RESUBMITTABLE {
        @Override
        RankEvent heard(RankConfig config, RankState state, RankEvent event) {
            return event instanceof RankEvent.Received received && received.message() instanceof EpochEnded ended
                    ? new RankEvent.Received(new EpochEnded(
                            ended.term(),
                            ended.to(),
                            ended.epoch(),
                            ended.cause(),
                            ended.undrained(),
                            ended.pending(),
                            true))
                    : event;
        }
    },
    /** What is not answered is never said again. */
    NOTHING_SENT_AGAIN {
        @Override
        List<CoordinatorEvent> heard(CoordinatorState state, CoordinatorEvent event) {
            boolean resend =
                    event instanceof CoordinatorEvent.TimerFired fired && fired.timer() == CoordinatorTimer.RESEND;
            return resend ? List.of() : List.of(event);
        }

        @Override
        List<RankCommand> said(RankConfig config, RankEvent event, List<RankCommand> commands) {
            return event instanceof RankEvent.TimerFired ? without(commands, RankCommand.Send.class) : commands;
        }
    };

    List<CoordinatorEvent> heard(CoordinatorState state, CoordinatorEvent event) {
        return List.of(event);
    }

    RankEvent heard(RankConfig config, RankState state, RankEvent event) {
        return event;
    }

    RankState known(RankState state, RankEvent event) {
        return state;
    }

    List<RankCommand> said(RankConfig config, RankEvent event, List<RankCommand> commands) {
        return commands;
    }

    @Override
    public Machine<CoordinatorState, CoordinatorEvent, CoordinatorCommand> coordinator(CoordinatorConfig config) {
        Machine<CoordinatorState, CoordinatorEvent, CoordinatorCommand> core = Cores.super.coordinator(config);
        return new Machine<>() {
            @Override
            public Transition<CoordinatorState, CoordinatorCommand> start() {
                return core.start();
            }

            @Override
            public Transition<CoordinatorState, CoordinatorCommand> on(CoordinatorState state, CoordinatorEvent event) {
                CoordinatorState now = state;
                List<CoordinatorCommand> commands = new ArrayList<>();
                for (CoordinatorEvent each : heard(state, event)) {
                    Transition<CoordinatorState, CoordinatorCommand> next = core.on(now, each);
                    now = next.state();
                    commands.addAll(next.commands());
                }
                return new Transition<>(now, commands);
            }
        };
    }

    @Override
    public Machine<RankState, RankEvent, RankCommand> rank(RankConfig config) {
        Machine<RankState, RankEvent, RankCommand> core = Cores.super.rank(config);
        return new Machine<>() {
            @Override
            public Transition<RankState, RankCommand> start() {
                return core.start();
            }

            @Override
            public Transition<RankState, RankCommand> on(RankState state, RankEvent event) {
                Transition<RankState, RankCommand> next = core.on(known(state, event), heard(config, state, event));
                return new Transition<>(next.state(), said(config, event, next.commands()));
            }
        };
    }

    private static CoordinatorEvent hear(CoordinatorMessage message) {
        return new CoordinatorEvent.Received(message);
    }

    private static List<CoordinatorEvent> forAll(
            CoordinatorState state, Function<Incarnation, CoordinatorMessage> message) {
        return state.present().values().stream()
                .map(rank -> hear(message.apply(rank)))
                .toList();
    }

    private static EpochId newest(Ending ending) {
        return Objects.requireNonNull(ending.holding().get(ending.holding().lastKey()));
    }

    private static @Nullable EpochId epoch(CoordinatorState state) {
        if (state.phase() instanceof Forming forming) {
            return forming.epoch();
        } else if (state.phase() instanceof Committing committing) {
            return committing.epoch();
        }
        return state.phase() instanceof Ending ending ? newest(ending) : null;
    }

    private static RankMessage ofEpoch(RankMessage message, EpochId epoch) {
        if (message instanceof StageOrder m) {
            return new StageOrder(m.to(), epoch, m.stage(), m.input(), m.timeoutMillis());
        } else if (message instanceof Commit m) {
            return new Commit(m.to(), epoch);
        } else if (message instanceof Abort m) {
            return new Abort(m.term(), m.to(), epoch, m.cause());
        } else if (message instanceof EpochEnded m) {
            return new EpochEnded(m.term(), m.to(), epoch, m.cause(), m.undrained(), m.pending(), m.resubmittable());
        }
        return message;
    }

    private static RankMessage to(RankMessage message, Incarnation self) {
        if (message instanceof RankMessage.Claim m) {
            return new RankMessage.Claim(m.term(), self);
        } else if (message instanceof StageOrder m) {
            return new StageOrder(self, m.epoch(), m.stage(), m.input(), m.timeoutMillis());
        } else if (message instanceof Commit m) {
            return new Commit(self, m.epoch());
        } else if (message instanceof Abort m) {
            return new Abort(m.term(), self, m.epoch(), m.cause());
        } else if (message instanceof RankMessage.Failed m) {
            return new RankMessage.Failed(m.term(), self, m.cause());
        }
        return message;
    }

    private static List<RankCommand> without(List<RankCommand> commands, Class<? extends RankCommand> kind) {
        List<RankCommand> all = new ArrayList<>(commands);
        all.removeIf(kind::isInstance);
        return all;
    }
}
