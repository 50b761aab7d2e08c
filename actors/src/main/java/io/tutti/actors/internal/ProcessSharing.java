package io.tutti.actors.internal;

import io.tutti.config.TuttiSettings;
import io.tutti.gpu.memory.HandleTransports;
import io.tutti.gpu.memory.PosixFdTransport;
import io.tutti.gpu.process.LocalService;
import io.tutti.gpu.process.LocalServiceLease;
import java.util.UUID;

/**
 * How this process shares memory with the other processes of its host: one local socket, and the handle kinds that need
 * it. The socket is opened only when some communicator may need it, since a process that hosts every rank shares nothing.
 */
final class ProcessSharing implements AutoCloseable {

    private final TuttiSettings settings;
    private final LocalServiceLease lease;

    private ProcessSharing(TuttiSettings settings, LocalServiceLease lease) {
        this.settings = settings;
        this.lease = lease;
    }

    static ProcessSharing open(TuttiSettings settings, String processId) {
        return new ProcessSharing(settings, LocalServiceLease.acquire(processId));
    }

    LocalService service() {
        return lease.service();
    }

    HandleTransports transports(UUID communicatorInstance) {
        return HandleTransports.standard()
                .and(new PosixFdTransport(
                        service(),
                        communicatorInstance,
                        settings.stageTimeouts().of("import")));
    }

    @Override
    public void close() {
        lease.close();
    }
}
