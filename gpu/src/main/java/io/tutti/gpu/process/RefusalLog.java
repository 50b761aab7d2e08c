package io.tutti.gpu.process;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports refused connections: each peer process and reason once as a warning, so that a stubborn one fills no disk. */
final class RefusalLog {

    private record Seen(int pid, int uid, RefusalReason reason) {}

    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final int REMEMBERED = 256;

    private final String processId;
    private final Consumer<Refusal> listener;
    private final Set<Seen> seen = new LinkedHashSet<>();

    RefusalLog(String processId, Consumer<Refusal> listener) {
        this.processId = processId;
        this.listener = listener;
    }

    /** Called on the service's thread only. */
    void report(Refusal refusal) {
        Seen key = new Seen(refusal.peer().pid(), refusal.peer().uid(), refusal.reason());
        if (seen.add(key)) {
            LOG.warn("process={} {}", processId, refusal.describe());
            if (seen.size() > REMEMBERED) {
                seen.remove(seen.iterator().next());
            }
        } else {
            LOG.debug("process={} {}", processId, refusal.describe());
        }
        try {
            listener.accept(refusal);
        } catch (RuntimeException e) {
            LOG.error("process={} a listener of refusals failed", processId, e);
        }
    }
}
