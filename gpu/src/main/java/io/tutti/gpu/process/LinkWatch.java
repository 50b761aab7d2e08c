package io.tutti.gpu.process;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The thread that waits for the ends of all links of a process. It is not the service's own, so that a listener delays no
 * handshake, and a flood of connections delays no news of a death.
 */
final class LinkWatch {

    private static final long REMOVE_NANOS = Duration.ofSeconds(2).toNanos();

    private final EventLoop loop;
    private final Set<Link> links = new HashSet<>(); // of the loop's thread

    LinkWatch() throws IOException {
        loop = new EventLoop("tutti-local-links", this::endAll);
        loop.start();
    }

    void add(List<Link> added) {
        boolean queued = loop.execute(() -> {
            for (Link link : added) {
                links.add(link);
                loop.add(link);
            }
        });
        if (!queued) {
            added.forEach(Link::closeSocket);
        }
    }

    /** Closes links; after it their listeners hear nothing, unless one of them is busy for too long. */
    void remove(List<Link> removed) {
        loop.executeAndWait(
                () -> {
                    for (Link link : removed) {
                        links.remove(link);
                        loop.remove(link);
                        link.closeSocket();
                    }
                },
                REMOVE_NANOS);
    }

    boolean close(long timeoutNanos) {
        return loop.close(timeoutNanos);
    }

    private void endAll() {
        links.forEach(Link::closeSocket);
    }
}
