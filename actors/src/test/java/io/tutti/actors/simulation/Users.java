package io.tutti.actors.simulation;

import io.tutti.gpu.EpochId;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** The users of all ranks: they make the same calls in the same order, and agree where to go on after a failure. */
final class Users {

    private final Scenario scenario;
    private final VirtualTime time;
    private final Map<EpochId, Integer> first = new HashMap<>();
    private int next;

    Users(Scenario scenario, VirtualTime time) {
        this.scenario = scenario;
        this.time = time;
    }

    private boolean calm() {
        return time.now() >= Scenario.FAULTS_END;
    }

    void enter(EpochId epoch) {
        first.putIfAbsent(epoch, next);
    }

    /** Which operation the call of this number is. */
    int operation(EpochId epoch, long sequence) {
        return first.getOrDefault(epoch, 0) + (int) sequence - 1;
    }

    /** The operation has ended, well or badly, and is not made again. */
    void done(int operation) {
        next = Math.max(next, operation + 1);
    }

    boolean satisfied() {
        return next >= scenario.operations();
    }

    long pause(SplittableRandom random) {
        boolean late = !calm() && random.nextInt(1000) < scenario.lateCalls();
        return random.nextInt(20_000) + (late ? 2 * Calls.DEADLINE : 0);
    }

    long tokens(SplittableRandom random) {
        return !calm() && random.nextInt(1000) < scenario.mismatches() ? 7 : 8;
    }

    boolean refuses(SplittableRandom random) {
        return !calm() && random.nextInt(1000) < scenario.deviceErrors();
    }
}
