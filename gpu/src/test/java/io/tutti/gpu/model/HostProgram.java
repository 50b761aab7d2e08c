package io.tutti.gpu.model;

import io.tutti.gpu.model.Layout.Control;
import io.tutti.gpu.model.Step.Kind;
import io.tutti.gpu.model.Step.Way;
import java.util.List;
import java.util.stream.IntStream;

/** What hosts do around the kernels: from the end of one epoch to the next one's first launch, and aborts. */
final class HostProgram {

    private final Setting setting;
    private final Scenario scenario;
    private final Layout layout;

    HostProgram(Setting setting) {
        this.setting = setting;
        this.scenario = setting.scenario();
        this.layout = setting.layout();
    }

    /** Between two epochs, on the rank's own thread, which its first warp stands for: no kernel runs meanwhile. */
    void changeEpoch(Program program, int part, int process) {
        if (!scenario.isReplacement(process)) {
            program.add(Step.of(
                    Kind.SHARED,
                    "has drained",
                    agent -> agent.allHaveReached(part) && agent.processMayRelease(),
                    agent -> {
                        agent.releaseProcess();
                        agent.setControl(Control.DRAINED, 1);
                    }));
        }
        program.add(Step.of(Kind.SHARED, "arms", this::decided, agent -> {
            if (takesPart(agent)) {
                arm(agent);
            } else {
                agent.finish();
            }
        }));
        program.add(Step.of(Kind.SHARED, "enters epoch 2", this::mayEnter, agent -> {
            agent.setControl(Control.EPOCH, 2);
        }));
    }

    /** The same time for the process's other warps, which are not there. */
    void awaitHost(Program program, int part) {
        program.add(Step.of(Kind.STABLE, "is launched", agent -> agent.hasReached(0, part + 1), agent -> {
            if (!takesPart(agent)) {
                agent.finish();
            }
        }));
    }

    /** Whoever aborts the first epoch from a rank's host, once and at any time, which may be never. */
    void abort(Program program, int rank) {
        program.begin();
        program.add(Step.of(
                Kind.OPTIONAL, "aborts epoch 1", agent -> agent.controlOf(rank, Control.EPOCH) == 1, agent -> {
                    agent.put(layout.control(rank, Control.HOST_ABORT), 1);
                    for (int owner = 0; owner < (scenario.hostWordOnly() ? 0 : scenario.world()); owner++) {
                        agent.store(layout.controlAbort(0, owner, rank), 1);
                    }
                }));
    }

    /** The coordinator. */
    void decide(Program program) {
        program.begin();
        Way reuse = new Way(
                "decides to use the memory again",
                agent -> drained(agent, false),
                agent -> agent.put(layout.decision(), Decision.REUSED.ordinal()));
        Way replace = new Way(
                "waits no longer for rank " + scenario.stops() + " and starts another process",
                agent -> scenario.stops() >= 0 && drained(agent, true) && !drained(agent, false),
                agent -> agent.put(
                        layout.decision(),
                        (setting.has(Rule.DRAINED_BEFORE_REUSE) ? Decision.FRESH : Decision.UNDRAINED).ordinal()));
        program.add(new Step(Kind.SHARED, List.of(reuse, replace)));
    }

    private boolean drained(Agent agent, boolean exceptTheStopped) {
        return IntStream.range(0, scenario.world())
                .filter(process -> !exceptTheStopped || process != scenario.stops())
                .allMatch(process -> agent.controlOf(process, Control.DRAINED) == 1);
    }

    private boolean decided(Agent agent) {
        return decision(agent) != Decision.NONE;
    }

    private Decision decision(Agent agent) {
        return Decision.values()[agent.value(layout.decision())];
    }

    private boolean takesPart(Agent agent) {
        boolean replaced = decision(agent) != Decision.REUSED;
        if (scenario.isReplacement(agent.process)) {
            return replaced;
        }
        return !replaced || agent.rank != scenario.stops();
    }

    private void arm(Agent agent) {
        agent.setControl(Control.GENERATION, decision(agent).ordinal());
        agent.setControl(Control.SEQUENCE, 0);
        if (setting.has(Rule.ARMED)) {
            for (int word : layout.slots(agent.generation(agent.rank), agent.rank)) {
                agent.put(word, Token.SENTINEL);
            }
        }
        agent.setControl(Control.ARMED, 1);
    }

    private boolean mayEnter(Agent agent) {
        boolean replaced = decision(agent) != Decision.REUSED;
        return !setting.has(Rule.ALL_ARMED_BEFORE_COMMIT)
                || IntStream.range(0, scenario.processes())
                        .filter(process -> replaced
                                ? scenario.isReplacement(process) || scenario.rankOf(process) != scenario.stops()
                                : !scenario.isReplacement(process))
                        .allMatch(process -> agent.controlOf(process, Control.ARMED) == 1);
    }
}
