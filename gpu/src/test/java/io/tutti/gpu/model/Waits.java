package io.tutti.gpu.model;

import io.tutti.gpu.model.Layout.Control;
import io.tutti.gpu.model.Layout.PerBlock;
import io.tutti.gpu.model.Step.Condition;
import io.tutti.gpu.model.Step.Effect;
import io.tutti.gpu.model.Step.Kind;
import io.tutti.gpu.model.Step.Way;
import java.util.ArrayList;
import java.util.List;

/** What ends a wait of one launch before it has what it waits for: {@code look()}, {@code fail()}, {@code headers_differ()}. */
final class Waits {

    private final Launch launch;
    private final int epoch;

    Waits(Launch launch) {
        this.launch = launch;
        this.epoch = launch.epoch();
    }

    /** A wait in which a warp looks around. */
    Step await(String text, Condition ready, Effect effect) {
        List<Way> ways = new ArrayList<>();
        ways.add(new Way(text, ready, effect));
        if (launch.has(Rule.LOOKED_IN_WAITS)) {
            ways.add(new Way("sees an abort word", this::abortSeen, agent -> leave(agent, Status.ABORTED, false)));
            ways.add(new Way(
                    "sees a header of another call",
                    agent -> agent.leads() && headersDiffer(agent),
                    agent -> leave(agent, Status.MISMATCH, true)));
            ways.add(new Way(
                    "sees its host's abort word",
                    agent -> agent.leads() && hostAborts(agent),
                    agent -> leave(agent, Status.ABORTED, true)));
        }
        if (launch.scenario().deadlines() && epoch == 1) {
            ways.add(new Way("reaches its deadline", agent -> true, agent -> leave(agent, Status.TIMEOUT, true)));
        }
        return new Step(Kind.WAIT, ways);
    }

    void leave(Agent agent, Status why, boolean tell) {
        fail(agent, why, tell);
        agent.goTo(agent.leaveOf(launch.part()));
    }

    /** Notes why the grid fails, unless somebody was first, and tells all ranks if they do not know. */
    void fail(Agent agent, Status why, boolean tell) {
        boolean first = agent.control(Control.OUTCOME) == 0;
        if (first) {
            agent.setControl(Control.OUTCOME, why.ordinal());
        }
        agent.setBlock(PerBlock.OUTCOME, agent.control(Control.OUTCOME));
        if (first && tell && launch.has(Rule.FAILURE_TOLD)) {
            for (int owner = 0; owner < launch.scenario().world(); owner++) {
                agent.store(launch.layout().kernelAbort(agent.generation(owner), owner, agent.rank), epoch);
            }
        }
        if (!launch.has(Rule.ABORT_STAYS) && why == Status.ABORTED) {
            for (int slot = 0; slot < 2 * launch.scenario().world(); slot++) {
                agent.store(abortWord(agent, slot), 0);
            }
        }
    }

    boolean abortSeen(Agent agent) {
        for (int slot = 0; slot < 2 * launch.scenario().world(); slot++) {
            if (aborts(agent.read(abortWord(agent, slot)))) {
                return true;
            }
        }
        return false;
    }

    boolean hostAborts(Agent agent) {
        return launch.has(Rule.HOST_WORD_READ) && aborts(agent.control(Control.HOST_ABORT));
    }

    private boolean aborts(int word) {
        return launch.has(Rule.ABORT_NAMES_EPOCH) ? word >= epoch : word != 0;
    }

    private int abortWord(Agent agent, int slot) {
        return launch.layout().abortWord(agent.generation(agent.rank), agent.rank, slot);
    }

    private boolean headersDiffer(Agent agent) {
        for (int source = 0; source < launch.scenario().world(); source++) {
            if (source != agent.rank && headerHere(agent, source) && headerDiffers(agent, source)) {
                return true;
            }
        }
        return false;
    }

    boolean headerHere(Agent agent, int source) {
        return agent.read(agent.slot(agent.rank, Region.HEADER, source, 0)) != Token.SENTINEL;
    }

    boolean headerDiffers(Agent agent, int source) {
        int theirs = agent.read(agent.slot(agent.rank, Region.HEADER, source, 0));
        return launch.has(Rule.HEADER_COMPARED) && theirs != header(agent, source);
    }

    /** The header of this call, as a rank pushes it. */
    int header(Agent agent, int source) {
        int sequence = launch.has(Rule.HEADER_HAS_SEQUENCE) ? agent.block(PerBlock.SEQUENCE) : 0;
        return Token.of(epoch, sequence, Region.HEADER, source, launch.call().fingerprint());
    }
}
