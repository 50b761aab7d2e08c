package io.tutti.gpu.model;

import io.tutti.gpu.model.Layout.Control;
import io.tutti.gpu.model.Step.Kind;
import io.tutti.gpu.model.Step.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that may happen next in a state: a step of an agent, or a store that is performed.
 *
 * <p>A step that touches nothing shared happens together with the one before. And where an agent is ready for a {@link
 * Kind#STABLE} step, only that step is explored: it stays ready whatever the others do, it changes nothing that they or
 * the checks look at except to make more ready, and programs have no loops, so every order with it somewhere later leads
 * to the same states. A wait for data is stable where nothing can fail: a word that has arrived stays, or another is
 * stored onto it, which is a violation whether or not it has been read, as long as its clearing has not been performed.
 *
 * <p>A reduced machine also gives some stores one time only:
 *
 * <ul>
 *   <li>At once: a push onto a clear word to which no other store is on its way. Nobody stores to that word before it is
 *       there (its owner clears only what it has read), and its being there only lets more happen. A status, which is
 *       checked hardest at its earliest time. An abort word for a pad that shows one already.
 *   <li>As late as the next release: clearing and outputs. Until they are performed, less is allowed: a push onto a word
 *       that is not clear and a status before its outputs are violations. Their own warps see them all the same.
 * </ul>
 *
 * Where the rule that clearing comes behind reading is missing, nothing is reduced, since both rest on it. {@code
 * ReductionTest} holds that both machines find the same.
 */
final class Machine {

    /** Where a move leads. */
    interface Sink {
        void accept(State next);

        void violated(Violation violation);
    }

    private final Scenario scenario;
    private final Layout layout;
    private final Setting setting;
    private final List<Program> programs = new ArrayList<>();
    private final List<Agent> agents = new ArrayList<>();
    private final boolean calm;
    private @Nullable StringBuilder log;

    Machine(Scenario scenario, Set<Rule> rules, boolean reduced) {
        this.scenario = scenario;
        int launches = scenario.callsOf(1, 0);
        for (int rank = 1; rank < scenario.world(); rank++) {
            launches = Math.max(launches, scenario.callsOf(1, rank));
        }
        this.layout = new Layout(scenario, launches + scenario.next().size() + 1);
        this.setting = new Setting(scenario, rules, layout, reduced && rules.contains(Rule.CLEARED_BEHIND_READING));
        this.calm = scenario.mustSucceed(1);
        for (int process = 0; process < scenario.processes(); process++) {
            for (int thread = 0; thread < scenario.threads(); thread++) {
                programs.add(warp(process, thread));
            }
        }
        HostProgram host = new HostProgram(setting);
        for (int rank = 0; rank < scenario.world(); rank++) {
            Program program = new Program();
            if (scenario.aborts().contains(rank)) {
                host.abort(program, rank);
            }
            programs.add(program);
        }
        Program coordinator = new Program();
        if (scenario.epochs() > 1) {
            host.decide(coordinator);
        }
        programs.add(coordinator);
        for (int agent = 0; agent < programs.size(); agent++) {
            agents.add(new Agent(this, setting, agent));
        }
    }

    private Program warp(int process, int thread) {
        Program program = new Program();
        int launch = 0;
        int part = 0;
        if (!scenario.isReplacement(process)) {
            List<Call> calls = scenario.calls().get(process);
            for (int i = 0; i < calls.size(); i++) {
                kernel(program, part++, launch++, 1, calls.get(i), i > 0 ? calls.get(i - 1) : null, process, thread);
            }
        }
        if (scenario.epochs() > 1) {
            HostProgram host = new HostProgram(setting);
            program.begin();
            if (thread == 0) {
                host.changeEpoch(program, part++, process);
            } else {
                host.awaitHost(program, part++);
            }
            List<Call> next = scenario.next();
            if (scenario.stale() && process == 0) {
                kernel(program, part++, launch++, 1, next.get(0), null, process, thread);
            }
            for (int i = 0; i < next.size(); i++) {
                kernel(program, part++, launch++, 2, next.get(i), i > 0 ? next.get(i - 1) : null, process, thread);
            }
        }
        return program;
    }

    private void kernel(
            Program program,
            int part,
            int launch,
            int epoch,
            Call call,
            @Nullable Call before,
            int process,
            int thread) {
        Launch kernel = new Launch(setting, part, launch, epoch, call, before, scenario.rankOf(process), thread);
        new KernelProgram(kernel, program).build();
    }

    Program program(int agent) {
        return programs.get(agent);
    }

    /** A call's number in an epoch as one number that only grows. */
    static int numbered(int epoch, int sequence) {
        return epoch << 3 | sequence;
    }

    /** Before anything has happened. */
    State start() {
        State state = new State(layout.cells());
        for (int process = 0; process < scenario.processes(); process++) {
            state.set(layout.control(process, Control.EPOCH), scenario.isReplacement(process) ? 0 : 1);
        }
        for (Agent agent : agents) {
            runOn(agent.in(state));
        }
        return state;
    }

    /** Explores every move out of a state, always in the same order. */
    void expand(State state, Sink sink) {
        for (int number = 0; number < agents.size(); number++) {
            Step step = at(state, number);
            if (step != null
                    && goesFirst(step)
                    && ready(state, number, step.ways().get(0))) {
                go(state, number, step.ways().get(0), sink);
                return;
            }
        }
        if (setting.reduced()) {
            for (int store = 0; store < state.pending(); store++) {
                if (isEarly(state, store)) {
                    perform(state, store, sink);
                    return;
                }
            }
        }
        if (!explore(state, sink)) {
            for (int store = 0; store < state.pending(); store++) {
                if (state.mayPerform(store) && isLate(state, store)) {
                    perform(state, store, sink);
                }
            }
        }
    }

    /** Everything but late stores; false when there is nothing. */
    private boolean explore(State state, Sink sink) {
        boolean any = false;
        for (int number = 0; number < agents.size(); number++) {
            Step step = at(state, number);
            if (step != null) {
                for (Way way : step.ways()) {
                    if (ready(state, number, way)) {
                        any |= step.kind() != Kind.OPTIONAL;
                        go(state, number, way, sink);
                    }
                }
            }
        }
        for (int store = 0; store < state.pending(); store++) {
            if (state.mayPerform(store) && !isLate(state, store)) {
                any = true;
                perform(state, store, sink);
            }
        }
        return any;
    }

    private boolean isEarly(State state, int store) {
        int address = state.addressOf(store);
        if (layout.isSlot(address)) {
            return state.valueOf(store) != Token.SENTINEL
                    && state.get(address) == Token.SENTINEL
                    && state.isAlone(store)
                    && (scenario.stops() < 0 || agents.get(state.agentOf(store)).rank != scenario.stops());
        }
        return layout.launchOf(address) >= 0
                || (layout.isAbortWord(address)
                        && state.mayPerform(store)
                        && padShows(state, address, state.valueOf(store)));
    }

    private boolean padShows(State state, int address, int epoch) {
        int first = layout.firstAbortWord(address);
        for (int slot = 0; slot < 2 * scenario.world(); slot++) {
            if (state.get(first + slot) >= epoch && epoch > 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether a store waits for its agent's next release. */
    boolean isLate(State state, int store) {
        int address = state.addressOf(store);
        return setting.reduced()
                && ((layout.isSlot(address) && state.valueOf(store) == Token.SENTINEL) || layout.isOutput(address));
    }

    /** Whether everybody is at the end, and nothing on its way. */
    boolean ended(State state) {
        if (state.pending() > 0) {
            return false;
        }
        for (int number = 0; number < agents.size(); number++) {
            Step step = at(state, number);
            if (step != null && step.kind() != Kind.OPTIONAL) {
                return false;
            }
        }
        return true;
    }

    /** From now on what happens is written here. */
    void logTo(StringBuilder text) {
        log = text;
    }

    /** Where each agent waits. */
    String describe(State state) {
        StringBuilder text = new StringBuilder();
        for (int number = 0; number < agents.size(); number++) {
            Step step = at(state, number);
            if (step != null && step.kind() != Kind.OPTIONAL) {
                text.append("  ")
                        .append(name(number))
                        .append(" waits: ")
                        .append(step.ways().get(0).text())
                        .append('\n');
            }
        }
        return text.toString();
    }

    private @Nullable Step at(State state, int number) {
        Program program = programs.get(number);
        int pc = state.get(layout.pc(number));
        return pc < program.end() ? program.step(pc) : null;
    }

    private boolean goesFirst(Step step) {
        return step.kind() == Kind.STABLE || (calm && step.kind() == Kind.WAIT);
    }

    private boolean ready(State state, int number, Way way) {
        return way.ready().holds(agents.get(number).in(state));
    }

    private void go(State state, int number, Way way, Sink sink) {
        try {
            State next = state.copy();
            Agent agent = agents.get(number).in(next);
            note(number, way.text());
            agent.goTo(agent.pc() + 1);
            way.effect().run(agent);
            runOn(agent);
            sink.accept(next);
        } catch (Violation e) {
            sink.violated(e);
        }
    }

    private void runOn(Agent agent) {
        Program program = programs.get(agents.indexOf(agent));
        while (agent.pc() < program.end() && program.step(agent.pc()).kind() == Kind.LOCAL) {
            Way way = program.step(agent.pc()).ways().get(0);
            note(agents.indexOf(agent), way.text());
            agent.goTo(agent.pc() + 1);
            way.effect().run(agent);
        }
    }

    private void perform(State state, int store, Sink sink) {
        try {
            State next = state.copy();
            int address = state.addressOf(store);
            if (log != null) {
                String value =
                        layout.isSlot(address) ? Token.describe(state.valueOf(store)) : "" + state.valueOf(store);
                note(state.agentOf(store), "has stored " + value + " as " + layout.name(address));
            }
            next.perform(store);
            check(state, next, address);
            sink.accept(next);
        } catch (Violation e) {
            sink.violated(e);
        }
    }

    private void check(State before, State after, int address) {
        if (layout.isSlot(address)) {
            if (before.get(address) != Token.SENTINEL && after.get(address) != Token.SENTINEL) {
                throw new Violation(Token.describe(after.get(address)) + " is stored onto "
                        + Token.describe(before.get(address)) + ", which has not been cleared");
            }
        } else if (layout.launchOf(address) >= 0 && after.get(address) == Status.OK.ordinal()) {
            checkSuccess(after, layout.processOf(address), layout.launchOf(address));
        }
    }

    /** A call has succeeded: its outputs are there, and every rank has started the very same call. */
    private void checkSuccess(State state, int process, int launch) {
        int rank = scenario.rankOf(process);
        int first = scenario.isReplacement(process) ? 0 : scenario.callsOf(1, rank);
        int epoch = launch >= first && scenario.epochs() > 1 ? 2 : 1;
        int stale = scenario.stale() && process == 0 ? 1 : 0;
        int sequence = epoch == 1 ? launch + 1 : launch - first - stale + 1;
        Call call = scenario.call(epoch, rank, sequence);
        for (int vector = 0; vector < call.vectors(); vector++) {
            if (state.get(layout.output(process, vector)) < numbered(epoch, sequence)) {
                throw new Violation("call " + sequence + " has succeeded before output " + vector + " is there");
            }
        }
        for (int peer = 0; peer < scenario.world(); peer++) {
            if (sequence > scenario.callsOf(epoch, peer)
                    || !scenario.call(epoch, peer, sequence).equals(call)) {
                throw new Violation(
                        "call " + sequence + " has succeeded though rank " + peer + " made another or none");
            }
            int started = 0;
            for (int other = 0; other < scenario.processes(); other++) {
                if (scenario.rankOf(other) == peer) {
                    started = Math.max(started, state.get(layout.control(other, Control.STARTED)));
                }
            }
            if (started < numbered(epoch, sequence)) {
                throw new Violation("call " + sequence + " has succeeded before rank " + peer + " has started it");
            }
        }
    }

    private void note(int number, String text) {
        if (log != null) {
            log.append(log.isEmpty() ? "" : "; ")
                    .append(name(number))
                    .append(' ')
                    .append(text);
        }
    }

    private String name(int number) {
        int warps = scenario.processes() * scenario.threads();
        if (number >= warps + scenario.world()) {
            return "the coordinator";
        }
        if (number >= warps) {
            return "rank " + (number - warps) + "'s host";
        }
        int process = number / scenario.threads();
        String rank = "rank " + scenario.rankOf(process) + (scenario.isReplacement(process) ? "'s new process" : "");
        return scenario.threads() == 1 ? rank : rank + " warp " + number % scenario.threads();
    }
}
