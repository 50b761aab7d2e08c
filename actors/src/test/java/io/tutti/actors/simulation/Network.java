package io.tutti.actors.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Carries messages: in order between any two nodes, or with loss, doubling and reordering while faults last. */
final class Network {

    private record Pair(Object from, Object to) {}

    private final VirtualTime time;
    private final SplittableRandom random;
    private final boolean lossy;
    private final long longestDelay;
    private long confusedUntil;
    private final Map<Pair, Long> last = new HashMap<>();

    Network(VirtualTime time, SplittableRandom random, boolean lossy, long longestDelay) {
        this.time = time;
        this.random = random;
        this.lossy = lossy;
        this.longestDelay = longestDelay;
    }

    /** For a while nobody is sure which of two coordinators is the right one. */
    void confuse(long micros) {
        confusedUntil = time.now() + micros;
    }

    boolean confused() {
        return time.now() < confusedUntil;
    }

    boolean lossy() {
        return lossy;
    }

    void send(Object from, Object to, Runnable delivery) {
        boolean faulty = lossy && time.now() < Scenario.FAULTS_END;
        if (faulty && random.nextInt(10) == 0) {
            return;
        }
        deliver(from, to, delivery);
        if (faulty && random.nextInt(5) == 0) {
            deliver(from, to, delivery);
        }
    }

    private void deliver(Object from, Object to, Runnable delivery) {
        long at = time.now() + 20 + random.nextLong(longestDelay);
        if (!lossy) {
            Pair pair = new Pair(from, to);
            at = Math.max(at, last.getOrDefault(pair, 0L));
            last.put(pair, at);
        } else if (random.nextInt(20) == 0) {
            at += random.nextLong(200_000);
        }
        time.at(at, delivery);
    }
}
