package io.tutti.gpu.memory;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.TuttiException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The handle kinds that a process can use. Immutable. */
public final class HandleTransports {

    private final Map<HandleKind, HandleTransport> byKind = new EnumMap<>(HandleKind.class);

    public HandleTransports(List<HandleTransport> transports) {
        transports.forEach(transport -> byKind.put(transport.kind(), transport));
    }

    /** Every kind that needs nothing but a driver; all but descriptors, which travel over a process's own socket. */
    public static HandleTransports standard() {
        return new HandleTransports(List.of(new InProcessTransport(), new FabricTransport(), new LegacyIpcTransport()));
    }

    /** These and one more. */
    public HandleTransports and(HandleTransport more) {
        List<HandleTransport> all = new ArrayList<>(byKind.values());
        all.add(more);
        return new HandleTransports(all);
    }

    /** The kinds that there are. */
    public Set<HandleKind> kinds() {
        return Set.copyOf(byKind.keySet());
    }

    /**
     * What a workspace's memory must be so that all of these kinds can carry it.
     *
     * @throws TuttiException with code PREFLIGHT when no memory serves all of them
     */
    MemoryNeed need(Collection<HandleKind> kinds) {
        MemoryNeed all = new MemoryNeed.Any();
        for (HandleKind kind : kinds) {
            all = all.and(of(kind).need())
                    .orElseThrow(() -> new TuttiException(ErrorInfo.of(
                            ErrorCode.PREFLIGHT,
                            "no one memory serves these handle kinds: kinds="
                                    + kinds.stream().map(HandleKind::wireName).toList()
                                    + "; legacy-ipc takes plain memory, posix-fd and fabric take virtual memory",
                            "Report this; the planner chooses kinds that go together.")));
        }
        return all;
    }

    /**
     * The transport of a kind.
     *
     * @throws TuttiException with code PREFLIGHT when this process has none
     */
    public HandleTransport of(HandleKind kind) {
        HandleTransport transport = byKind.get(kind);
        if (transport == null) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.PREFLIGHT,
                    "handle kind is not available in this process: kind=" + kind.wireName() + " available="
                            + byKind.keySet().stream().map(HandleKind::wireName).toList(),
                    "Allow one of those with tutti.handle-kinds."));
        }
        return transport;
    }
}
