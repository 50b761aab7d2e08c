package io.tutti.gpu.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Explores all states of a scenario in the order of their distance from the start, so the first violation that it finds
 * has a shortest trace. States are told apart by 64 bits of hash.
 */
final class Explorer {

    /** What was found. */
    record Result(int states, int depth, @Nullable String violation, List<String> trace) {

        boolean isRight() {
            return violation == null;
        }

        /** The violation in one line. */
        String headline() {
            return violation == null ? "right" : violation.lines().findFirst().orElse("");
        }

        String report() {
            StringBuilder text = new StringBuilder(violation == null ? "right" : violation);
            text.append(" (states=")
                    .append(states)
                    .append(" depth=")
                    .append(depth)
                    .append(")\n");
            for (int i = 0; i < trace.size(); i++) {
                text.append(String.format("%4d  %s%n", i + 1, trace.get(i)));
            }
            return text.toString();
        }
    }

    private record Found(int state, int choice, String violation) {}

    private final Scenario scenario;
    private final Set<Rule> rules;
    private final boolean reduced;
    private final Machine machine;
    private final int mostStates;
    private final Fingerprints seen = new Fingerprints();
    private final Ints parents = new Ints();
    private final Ints choices = new Ints();
    private @Nullable Found found;

    private Explorer(Scenario scenario, Set<Rule> rules, boolean reduced, int mostStates) {
        this.scenario = scenario;
        this.rules = rules;
        this.reduced = reduced;
        this.mostStates = mostStates;
        this.machine = new Machine(scenario, rules, reduced);
    }

    /**
     * Explores a scenario.
     *
     * @param mostStates fails beyond so many
     */
    static Result explore(Scenario scenario, Set<Rule> rules, boolean reduced, int mostStates) {
        return new Explorer(scenario, rules, reduced, mostStates).run();
    }

    private Result run() {
        List<State> level = new ArrayList<>();
        List<Integer> ids = new ArrayList<>();
        int depth = 0;
        State start = machine.start();
        seen.add(start.fingerprint());
        level.add(start);
        ids.add(remember(-1, -1));
        while (!level.isEmpty() && found == null) {
            List<State> nextLevel = new ArrayList<>();
            List<Integer> nextIds = new ArrayList<>();
            for (int i = 0; i < level.size() && found == null; i++) {
                expand(level.get(i), ids.get(i), nextLevel, nextIds);
                level.set(i, start);
            }
            level = nextLevel;
            ids = nextIds;
            depth++;
        }
        return found == null
                ? new Result(parents.size(), depth, null, List.of())
                : new Result(parents.size(), depth, found.violation(), trace(found));
    }

    private void expand(State state, int id, List<State> nextLevel, List<Integer> nextIds) {
        int[] choice = {0};
        machine.expand(state, new Machine.Sink() {
            @Override
            public void accept(State next) {
                if (seen.add(next.fingerprint())) {
                    nextLevel.add(next);
                    nextIds.add(remember(id, choice[0]));
                }
                choice[0]++;
            }

            @Override
            public void violated(Violation violation) {
                if (found == null) {
                    found = new Found(id, choice[0], String.valueOf(violation.getMessage()));
                }
                choice[0]++;
            }
        });
        if (choice[0] == 0 && !machine.ended(state)) {
            found = new Found(id, -1, "nobody can go on:\n" + machine.describe(state));
        }
    }

    private int remember(int parent, int choice) {
        if (parents.size() >= mostStates) {
            throw new IllegalStateException("more than " + mostStates + " states: " + scenario);
        }
        parents.add(parent);
        choices.add(choice);
        return parents.size() - 1;
    }

    /** Runs the moves that led to a violation again, and says what happens in each. */
    private List<String> trace(Found end) {
        List<Integer> path = new ArrayList<>();
        if (end.choice() >= 0) {
            path.add(end.choice());
        }
        for (int id = end.state(); parents.get(id) >= 0; id = parents.get(id)) {
            path.add(0, choices.get(id));
        }
        Machine again = new Machine(scenario, rules, reduced);
        List<String> lines = new ArrayList<>();
        State state = again.start();
        for (int choice : path) {
            Replay replay = new Replay(again, choice);
            again.expand(state, replay);
            lines.add(replay.text());
            state = replay.next == null ? state : replay.next;
        }
        return lines;
    }

    /** Takes one of the moves out of a state and keeps what it says. */
    private static final class Replay implements Machine.Sink {

        private final StringBuilder log = new StringBuilder();
        private final int choice;
        private int at;
        private String text = "";
        private @Nullable State next;

        Replay(Machine machine, int choice) {
            this.choice = choice;
            machine.logTo(log);
        }

        @Override
        public void accept(State state) {
            if (isChosen("")) {
                next = state;
            }
        }

        @Override
        public void violated(Violation violation) {
            isChosen(" -> " + violation.getMessage());
        }

        private boolean isChosen(String end) {
            boolean chosen = at++ == choice;
            if (chosen) {
                text = log + end;
            }
            log.setLength(0);
            return chosen;
        }

        String text() {
            return text;
        }
    }
}
