package io.tutti.gpu.host;

import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DeviceAttribute;
import io.tutti.gpu.driver.DriverException;

/** What devices say about themselves, from the topology. */
final class QueryCalls {

    private final HostProcess process;

    QueryCalls(HostProcess process) {
        this.process = process;
    }

    Topology.Device facts(String call, int device) {
        return process.device(call, device).facts();
    }

    int attribute(String call, DeviceAttribute attribute, int device) {
        Topology.Device facts = facts(call, device);
        Topology.Capabilities can = facts.capabilities();
        return switch (attribute) {
            case MULTIPROCESSOR_COUNT -> facts.multiprocessors();
            case UNIFIED_ADDRESSING -> 1;
            case COMPUTE_CAPABILITY_MAJOR -> facts.computeCapabilityMajor();
            case COMPUTE_CAPABILITY_MINOR -> facts.computeCapabilityMinor();
            case VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED -> bit(can.virtualMemory());
            case HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED ->
                bit(can.posixFd() && process.source().shareable());
            case IPC_EVENT_SUPPORTED -> bit(can.legacyIpc());
            case HANDLE_TYPE_FABRIC_SUPPORTED -> bit(can.fabric());
            case MULTICAST_SUPPORTED -> bit(can.multicast());
        };
    }

    private static int bit(boolean value) {
        return value ? 1 : 0;
    }

    boolean canAccessPeer(String call, int device, int peer) {
        process.device(call, peer);
        return facts(call, device).peers().contains(peer);
    }

    /** Answers for one device too, as hardware does: it does not prove that multicast works. */
    long multicastGranularity(String call, int devices, long bytes) {
        Topology.Multicast answer = process.hostFacts().multicast();
        if (answer.result() != CuResult.CUDA_SUCCESS) {
            throw new DriverException(
                    call, answer.result(), "topology=" + process.topology().name());
        }
        if (devices < 1 || bytes < 1) {
            throw HostProcess.invalidValue(call, "devices=" + devices + " bytes=" + bytes);
        }
        return answer.granularity();
    }
}
