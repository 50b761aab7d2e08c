package io.tutti.fidelity;

import java.util.function.Function;

/**
 * One call with its arguments, and what has to be there first.
 *
 * @param id names the step in recordings; never changes its meaning
 * @param call the driver's own name of the call that is asked
 * @param arguments the arguments and the circumstances, in words
 * @param devices how many devices the machine needs to have
 * @param dangerous whether a real driver may crash or be lost by it, so that it gets a process of its own
 * @param action prepares and asks
 */
record Step(String id, String call, String arguments, int devices, boolean dangerous, Function<Bench, Answer> action) {

    static Step of(String id, String call, String arguments, Function<Bench, Answer> action) {
        return new Step(id, call, arguments, 1, false, action);
    }

    /** The same in a process of its own. */
    Step alone() {
        return new Step(id, call, arguments, devices, true, action);
    }

    /** The same, on machines of two devices or more. */
    Step onPair() {
        return new Step(id, call, arguments, 2, dangerous, action);
    }

    @Override
    public String toString() {
        return id;
    }
}
