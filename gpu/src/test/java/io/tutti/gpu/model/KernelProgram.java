package io.tutti.gpu.model;

import io.tutti.gpu.model.Layout.Control;
import io.tutti.gpu.model.Layout.PerBlock;
import io.tutti.gpu.model.Step.Kind;
import io.tutti.gpu.model.Step.Way;
import java.util.ArrayList;
import java.util.List;

/**
 * One warp's share of one fused kernel: how {@code call.cuh} begins and ends it. What is between is in {@link Exchange}.
 */
final class KernelProgram {

    private final Launch launch;
    private final Program program;
    private final Waits waits;

    KernelProgram(Launch launch, Program program) {
        this.launch = launch;
        this.program = program;
        this.waits = new Waits(launch);
    }

    void build() {
        program.begin();
        enter();
        arrive();
        admit();
        new Exchange(launch, program, waits).build();
        leave();
    }

    // ---- launch.call().cuh: the beginning
    // --------------------------------------------------------------------------------

    private void enter() {
        program.add(Step.local("enters " + launch.call() + " captured in epoch " + launch.epoch(), agent -> {
            if (agent.control(Control.EPOCH) == launch.epoch() || !launch.has(Rule.EPOCH_COMPARED)) {
                agent.goTo(agent.pc() + 1);
            } else if (!launch.speaksForGrid()) {
                agent.endPart(launch.part());
            }
        }));
        program.add(Step.of(Kind.STABLE, "is stale and leaves", agent -> agent.allHaveReached(launch.part()), agent -> {
            agent.store(launch.layout().status(agent.process, launch.number()), Status.STALE.ordinal());
            agent.endPart(launch.part());
        }));
    }

    private void arrive() {
        program.add(Step.of(
                Kind.STABLE,
                "finds the kernel before at its end",
                agent -> !launch.has(Rule.PREDECESSOR_AWAITED) || agent.allHaveReached(launch.part()),
                agent -> {}));
    }

    private void admit() {
        if (!launch.speaks()) {
            program.add(Step.of(
                    Kind.STABLE, "follows its speaker", agent -> agent.block(PerBlock.ADMITTED) != 0, agent -> {
                        if (agent.block(PerBlock.ADMITTED) == Admission.REFUSED) {
                            agent.goTo(agent.leaveOf(launch.part()));
                        }
                    }));
            return;
        }
        Way refused = new Way(
                "sees an abort word before its first push",
                agent -> launch.has(Rule.LOOKED_BEFORE_PUSH) && waits.abortSeen(agent),
                agent -> {
                    agent.setBlock(PerBlock.ADMITTED, Admission.REFUSED);
                    waits.leave(agent, Status.ABORTED, false);
                });
        Way admitted = new Way(
                "takes the call's number",
                agent -> !launch.has(Rule.LOOKED_BEFORE_PUSH) || !waits.abortSeen(agent),
                this::number);
        program.add(new Step(Kind.SHARED, List.of(admitted, refused)));
    }

    private void number(Agent agent) {
        if (agent.control(Control.FAILED) == launch.epoch()) {
            throw new Violation("a kernel pushes though one before it failed in this epoch");
        }
        if (agent.control(Control.EPOCH) != launch.epoch()) {
            throw new Violation(
                    "a kernel of epoch " + launch.epoch() + " pushes in epoch " + agent.control(Control.EPOCH));
        }
        int sequence = agent.control(Control.SEQUENCE) + 1;
        agent.setBlock(PerBlock.ADMITTED, Admission.ADMITTED);
        agent.setBlock(PerBlock.SEQUENCE, sequence);
        if (agent.leads()) {
            agent.setControl(Control.STARTED, Machine.numbered(launch.epoch(), sequence));
        }
    }

    // ---- launch.call().cuh: the end
    // --------------------------------------------------------------------------------------

    private void leave() {
        program.markLeave();
        program.add(Step.of(Kind.STABLE, "leaves with its block", agent -> agent.blockLeaves(launch.part()), agent -> {
            if (!launch.speaks()) {
                agent.endPart(launch.part());
            }
        }));
        if (!launch.speaks()) {
            return;
        }
        if (!launch.speaksForGrid()) {
            program.add(Step.of(Kind.STABLE, "arrives behind a release", this::mayRelease, agent -> {
                release(agent);
                agent.setControl(Control.ARRIVALS, agent.control(Control.ARRIVALS) + 1);
                agent.forgetBlock();
            }));
            return;
        }
        program.add(Step.of(Kind.STABLE, "fences", this::mayRelease, this::release));
        program.add(awaitOtherBlocks());
        program.add(Step.of(Kind.SHARED, "publishes its status", this::mayPublish, this::publish));
    }

    private boolean mayRelease(Agent agent) {
        return !releases() || agent.blockMayRelease();
    }

    private void release(Agent agent) {
        if (releases()) {
            agent.releaseBlock();
        }
    }

    private boolean releases() {
        return launch.has(launch.speaksForGrid() ? Rule.RELEASED_BEFORE_STATUS : Rule.RELEASED_BEFORE_ARRIVAL);
    }

    private Step awaitOtherBlocks() {
        List<Way> ways = new ArrayList<>();
        ways.add(new Way(
                "finds that all other blocks have left",
                agent -> !launch.has(Rule.BLOCKS_AWAITED)
                        || agent.control(Control.ARRIVALS) == launch.scenario().blocks() - 1,
                agent -> {}));
        ways.add(new Way(
                "sees its host's abort word while it waits for other blocks",
                agent -> launch.scenario().blocks() > 1
                        && agent.control(Control.OUTCOME) == 0
                        && agent.control(Control.ARRIVALS) != launch.scenario().blocks() - 1
                        && waits.hostAborts(agent),
                agent -> {
                    waits.fail(agent, Status.ABORTED, true);
                    agent.goTo(agent.pc() - 1);
                }));
        return new Step(Kind.WAIT, ways);
    }

    private boolean mayPublish(Agent agent) {
        return outcome(agent) == Status.OK || mayRelease(agent);
    }

    private void publish(Agent agent) {
        Status outcome = outcome(agent);
        if (outcome != Status.OK) {
            release(agent);
            if (launch.scenario().mustSucceed(launch.epoch())) {
                throw new Violation(
                        "call " + agent.block(PerBlock.SEQUENCE) + " ends " + outcome + " though nothing went wrong");
            }
            agent.setControl(Control.FAILED, launch.epoch());
        }
        agent.setControl(Control.ARRIVALS, 0);
        agent.setControl(Control.OUTCOME, 0);
        if (agent.block(PerBlock.SEQUENCE) != 0) {
            agent.setControl(Control.SEQUENCE, agent.block(PerBlock.SEQUENCE));
        }
        agent.store(launch.layout().status(agent.process, launch.number()), outcome.ordinal());
        agent.forgetBlock();
    }

    private Status outcome(Agent agent) {
        int word =
                launch.has(Rule.OUTCOME_OF_ALL_BLOCKS) ? agent.control(Control.OUTCOME) : agent.block(PerBlock.OUTCOME);
        return word == 0 ? Status.OK : Status.values()[word];
    }
}
