package io.tutti.gpu.model;

import java.util.List;

/**
 * One step of an agent's program, which happens at once. Of its ways, any that is ready may be gone.
 */
record Step(Kind kind, List<Way> ways) {

    enum Kind {
        /** Touches nothing that others see, and is always ready: it happens together with the step before. */
        LOCAL,
        /**
         * Once it is ready it stays so, whatever others do, and what it does others neither notice nor prevent, except that
         * more becomes ready. So it may go first.
         */
        STABLE,
        /** A wait of a kernel: the first way is what is waited for, the others are looks. Stable where nothing can fail. */
        WAIT,
        /** Order matters. */
        SHARED,
        /** As {@link #SHARED}, and need never happen. */
        OPTIONAL
    }

    /** Whether a way may be gone now. */
    interface Condition {
        boolean holds(Agent agent);
    }

    /** What happens. The agent stands at its next step already. */
    interface Effect {
        void run(Agent agent);
    }

    record Way(String text, Condition ready, Effect effect) {}

    static Step local(String text, Effect effect) {
        return new Step(Kind.LOCAL, List.of(new Way(text, agent -> true, effect)));
    }

    static Step of(Kind kind, String text, Condition ready, Effect effect) {
        return new Step(kind, List.of(new Way(text, ready, effect)));
    }
}
