package io.tutti.gpu.process;

import java.util.HashMap;
import java.util.Map;

/**
 * A share in the one service of a process: several runtimes in one JVM use the same, which starts with the first lease and
 * closes with the last. Any thread; {@link #close} is idempotent.
 */
public final class LocalServiceLease implements AutoCloseable {

    private static final class Shared {
        private final LocalService service;
        private int leases;

        private Shared(LocalService service) {
            this.service = service;
        }
    }

    private static final Map<String, Shared> SHARED = new HashMap<>();

    private final Shared shared;
    private boolean closed; // guarded by SHARED

    private LocalServiceLease(Shared shared) {
        this.shared = shared;
    }

    /**
     * Takes a share in the service of this process, which is started when there is none.
     *
     * @param processId this process's identity, as in its facts
     * @throws io.tutti.gpu.TuttiException with code SYSTEM where local sockets cannot be used
     */
    public static LocalServiceLease acquire(String processId) {
        synchronized (SHARED) {
            Shared shared = SHARED.get(processId);
            if (shared == null) {
                shared = new Shared(LocalService.start(processId));
                SHARED.put(processId, shared);
            }
            shared.leases++;
            return new LocalServiceLease(shared);
        }
    }

    public LocalService service() {
        return shared.service;
    }

    @Override
    public void close() {
        synchronized (SHARED) {
            if (closed) {
                return;
            }
            closed = true;
            if (--shared.leases == 0) {
                SHARED.remove(shared.service.processId());
                shared.service.close();
            }
        }
    }
}
