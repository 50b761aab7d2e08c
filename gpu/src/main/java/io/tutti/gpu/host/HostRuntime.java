package io.tutti.gpu.host;

import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.LiveObjects;
import io.tutti.gpu.host.execution.HostKernel;
import io.tutti.gpu.host.fault.FaultRule;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of one host driver, and its end. */
final class HostRuntime {

    private static final Logger LOG = LoggerFactory.getLogger(HostRuntime.class);
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Results after which a real context is gone. */
    private static final Set<CuResult> STICKY = EnumSet.of(
            CuResult.CUDA_ERROR_ECC_UNCORRECTABLE,
            CuResult.CUDA_ERROR_NVLINK_UNCORRECTABLE,
            CuResult.CUDA_ERROR_CONTAINED,
            CuResult.CUDA_ERROR_ILLEGAL_ADDRESS,
            CuResult.CUDA_ERROR_LAUNCH_TIMEOUT,
            CuResult.CUDA_ERROR_HARDWARE_STACK_ERROR,
            CuResult.CUDA_ERROR_MISALIGNED_ADDRESS,
            CuResult.CUDA_ERROR_LAUNCH_FAILED);

    private final HostProcess process;
    private final QueryCalls queries;
    private final PlainCalls plain;
    private final VirtualCalls virtual;
    private final SharingCalls sharing;
    private final MulticastCalls multicast;
    private final ModuleCalls modules;
    private final StreamCalls streams;

    HostRuntime(HostProcess process, Map<String, Map<String, HostKernel>> images, Duration multicastPatience) {
        this.process = process;
        this.queries = new QueryCalls(process);
        this.plain = new PlainCalls(process);
        this.virtual = new VirtualCalls(process);
        this.sharing = new SharingCalls(process, virtual);
        this.multicast = new MulticastCalls(process, virtual, sharing, multicastPatience);
        this.modules = new ModuleCalls(process, images);
        this.streams = new StreamCalls(process, modules);
    }

    HostProcess process() {
        return process;
    }

    QueryCalls queries() {
        return queries;
    }

    PlainCalls plain() {
        return plain;
    }

    VirtualCalls virtual() {
        return virtual;
    }

    SharingCalls sharing() {
        return sharing;
    }

    MulticastCalls multicast() {
        return multicast;
    }

    ModuleCalls modules() {
        return modules;
    }

    StreamCalls streams() {
        return streams;
    }

    /** An injected sticky result stays, as a real one does, when the calling thread has a context to lose. */
    void loseCurrent(FaultRule rule) {
        HostDevice device = process.currentOrNull();
        if (device != null && STICKY.contains(rule.result())) {
            device.health().fail(rule.result(), "injected=true rule='" + rule + "'");
        }
    }

    LiveObjects live() {
        Map<String, Long> live = new TreeMap<>();
        plain.count(live);
        virtual.count(live);
        sharing.count(live);
        modules.count(live);
        streams.count(live);
        return new LiveObjects(live);
    }

    void close() {
        if (!process.close()) {
            return;
        }
        LiveObjects left = live();
        if (left.total() > 0) {
            LOG.warn("the host driver is closed with live objects: {}", left);
        }
        List<String> stuck = process.streams().stop(CLOSE_NANOS);
        if (stuck.isEmpty()) {
            plain.freeAll();
            virtual.freeAll();
            sharing.freeAll();
            process.attachments().detachAll();
        } else {
            LOG.warn("streams did not end in {} ms, their memory stays mapped: {}", CLOSE_NANOS / 1_000_000, stuck);
        }
    }
}
