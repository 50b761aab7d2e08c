package io.tutti.gpu.memory;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.TuttiException;
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

    /** Every kind that this build knows. */
    public static HandleTransports standard() {
        return new HandleTransports(List.of(new InProcessTransport()));
    }

    /** The kinds that there are. */
    public Set<HandleKind> kinds() {
        return Set.copyOf(byKind.keySet());
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
