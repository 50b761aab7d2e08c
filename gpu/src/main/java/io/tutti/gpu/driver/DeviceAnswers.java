package io.tutti.gpu.driver;

import static io.tutti.gpu.driver.CuResult.*;

import java.util.Map;

/** The driver itself, devices and contexts. */
final class DeviceAnswers {

    private static final String VISIBLE = "Check CUDA_VISIBLE_DEVICES, which numbers devices anew, and nvidia-smi -L.";

    private DeviceAnswers() {}

    static void add(Map<String, Map<CuResult, Explanation>> table) {
        start(table);
        queries(table);
        contexts(table);
    }

    private static void start(Map<String, Map<CuResult, Explanation>> table) {
        CallEntry.of(table, "cuInit", "initialise itself")
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "cuInit takes 0 for its flags and got something else.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_STUB_LIBRARY,
                        "The libcuda that was found first is the stub of a toolkit, which only programs are linked with.",
                        "Take the toolkit's stubs folder off LD_LIBRARY_PATH.")
                .answers(
                        CUDA_ERROR_DEVICE_UNAVAILABLE,
                        "A device is in exclusive or prohibited compute mode.",
                        "See nvidia-smi -q -d COMPUTE; set it back with nvidia-smi -c 0.")
                .answers(
                        CUDA_ERROR_NO_DEVICE,
                        "The driver is loaded but leaves this process no device: none is there, none was passed to the container,"
                                + " or CUDA_VISIBLE_DEVICES hides all.",
                        VISIBLE)
                .answers(
                        CUDA_ERROR_INVALID_DEVICE,
                        "A device node is there, but what stands behind it is none that the driver can use.",
                        "Run nvidia-smi; reset the device, or leave it out of CUDA_VISIBLE_DEVICES.")
                .answers(
                        CUDA_ERROR_OPERATING_SYSTEM,
                        "The kernel module or its device files could not be opened: /dev/nvidiactl, /dev/nvidia-uvm or"
                                + " /dev/nvidia0.",
                        "Run nvidia-smi on the host; give the container its device files and the capability to use them.")
                .answers(
                        CUDA_ERROR_SYSTEM_NOT_READY,
                        "The machine has NVSwitches whose fabric manager has not finished, so that no device is usable yet.",
                        "See systemctl status nvidia-fabricmanager; start again once it is ready.")
                .answers(
                        CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
                        "libcuda is of another version than the loaded kernel module, as after an update without a reboot, or"
                                + " in a container with a library of its own.",
                        "Reboot or reload the module; in a container, use the host's libcuda.")
                .answers(
                        CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
                        "A cuda-compat libcuda was loaded, and this device is none that forward compatibility serves.",
                        "Take cuda-compat off LD_LIBRARY_PATH, and update the kernel driver instead.")
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "The host had no memory left while the driver initialised itself.",
                        "Look at the container's memory limit and at locked memory (ulimit -l).")
                .answers(
                        CUDA_ERROR_UNKNOWN,
                        "The driver could not initialise itself and does not say why; often nvidia-uvm is not loaded or its"
                                + " device file is missing.",
                        "Run nvidia-modprobe -u, look at dmesg for Xid lines, and start again.");
        CallEntry.of(table, "cuDriverGetVersion", "tell its version")
                .started()
                .answers(CUDA_ERROR_INVALID_VALUE, "There was no place to put the version.", CallEntry.REPORT);
        CallEntry.of(table, "cuDeviceGetCount", "count the visible devices")
                .started()
                .answers(CUDA_ERROR_INVALID_VALUE, "There was no place to put the number of devices.", CallEntry.REPORT)
                .answers(CUDA_ERROR_NO_DEVICE, "No device is visible to this process.", VISIBLE)
                .answers(
                        CUDA_ERROR_INVALID_CONTEXT,
                        "The thread's current context belongs to a driver that is shutting down.",
                        "Start a new process.");
        CallEntry.of(table, "cuDeviceGet", "find a device by its ordinal")
                .started()
                .answers(CUDA_ERROR_INVALID_VALUE, "There was no place to put the device.", CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_CONTEXT,
                        "The thread's current context is gone, so that devices cannot be asked for.",
                        "Open the ranks again in a new process.")
                .answers(
                        CUDA_ERROR_INVALID_DEVICE,
                        "No visible device has this ordinal; a rank's number is not one.",
                        VISIBLE);
    }

    private static void queries(Map<String, Map<CuResult, Explanation>> table) {
        query(table, "cuDeviceGetName", "tell a device's name");
        query(table, "cuDeviceGetUuid", "tell a device's UUID");
        query(table, "cuDeviceGetPCIBusId", "tell a device's PCI address");
        query(table, "cuDeviceTotalMem", "tell a device's memory");
        query(table, "cuDeviceCanAccessPeer", "say whether a device reaches another's memory");
        query(table, "cuDeviceGetAttribute", "tell an attribute of a device")
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "The driver does not know this attribute, because it is older than the attribute.",
                        "Nothing to do: what the attribute is about counts as lacking; a newer driver may know it.");
        CallEntry.of(table, "nvmlDeviceGetGpuFabricInfo", "tell a device's NVLink domain")
                .answers(
                        CUDA_ERROR_NOT_SUPPORTED,
                        "The management library or the device knows no NVLink domain; the device belongs to none.",
                        "Nothing to do: only handles across hosts need a domain.")
                .answers(
                        CUDA_ERROR_NOT_INITIALIZED,
                        "The management library (libnvidia-ml.so.1) did not start, so that no NVLink domain is known.",
                        "Install the driver's complete libraries where ranks of several hosts are to share memory.")
                .answers(
                        CUDA_ERROR_UNKNOWN,
                        "The management library could not ask the device for its NVLink domain.",
                        "Run nvidia-smi -q and see its section Fabric; only handles across hosts need it.");
    }

    private static CallEntry query(Map<String, Map<CuResult, Explanation>> table, String name, String purpose) {
        return CallEntry.of(table, name, purpose)
                .started()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "There was no room for the answer when the driver was to " + purpose + ".",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_CONTEXT,
                        "The thread's context is gone, so that the driver could not " + purpose + ".",
                        "Open the ranks again in a new process.")
                .answers(
                        CUDA_ERROR_INVALID_DEVICE,
                        "The driver was to " + purpose + ", but no visible device has the ordinal.",
                        VISIBLE);
    }

    private static void contexts(Map<String, Map<CuResult, Explanation>> table) {
        CallEntry.of(table, "cuDevicePrimaryCtxRetain", "open a device's primary context")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_DEVICE,
                        "No visible device has the ordinal whose primary context was to be opened.",
                        VISIBLE)
                .answers(CUDA_ERROR_INVALID_VALUE, "There was no place to put the primary context.", CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_OUT_OF_MEMORY,
                        "The device has no memory left even for a context, which takes some hundred MiB.",
                        "End other processes on the device (nvidia-smi shows them).")
                .answers(
                        CUDA_ERROR_DEVICE_UNAVAILABLE,
                        "Another process holds the device in exclusive compute mode, or it is prohibited.",
                        "See nvidia-smi -q -d COMPUTE; one process per device, or nvidia-smi -c 0.")
                .answers(
                        CUDA_ERROR_DEVICE_NOT_LICENSED,
                        "The virtual GPU has no licence, without which it opens no context.",
                        "See the guest's nvidia-gridd and the licence server.")
                .answers(
                        CUDA_ERROR_SYSTEM_NOT_READY,
                        "The fabric manager has not set the NVSwitches up, and until then no context opens.",
                        "Wait for nvidia-fabricmanager; ranks try again a few times together.");
        CallEntry.of(table, "cuDevicePrimaryCtxRelease", "give a device's primary context back")
                .started()
                .answers(
                        CUDA_ERROR_INVALID_DEVICE,
                        "No visible device has the ordinal whose primary context was to be given back.",
                        CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_CONTEXT,
                        "The primary context was given back more often than it was opened.",
                        CallEntry.REPORT);
        CallEntry.of(table, "cuCtxSetCurrent", "set the thread's context")
                .started()
                .answers(
                        CUDA_ERROR_INVALID_CONTEXT,
                        "The context was destroyed, or its device was reset by somebody.",
                        "Find who resets the device; open the ranks again.")
                .answers(CUDA_ERROR_INVALID_VALUE, "What was to be the thread's context is none.", CallEntry.REPORT);
        CallEntry.of(table, "cuCtxGetCurrent", "tell the thread's context")
                .started()
                .answers(CUDA_ERROR_INVALID_VALUE, "There was no place to put the thread's context.", CallEntry.REPORT);
        CallEntry.of(table, "cuCtxGetDevice", "tell the device of the thread's context")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "There was no place to put the device of the thread's context.",
                        CallEntry.REPORT);
        CallEntry.of(table, "cuCtxEnablePeerAccess", "let a device reach another's memory")
                .inContext()
                .answers(
                        CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED,
                        "The device reaches that peer already.",
                        "Nothing to do; the runtime takes it for success.")
                .answers(
                        CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
                        "No link, bridge or PCIe path joins the two devices, one is a MIG slice, or the IOMMU forbids it.",
                        "See nvidia-smi topo -p2p rw; place the ranks on devices that are peers.")
                .answers(
                        CUDA_ERROR_TOO_MANY_PEERS,
                        "The device reaches as many peers as its hardware can (eight over PCIe).",
                        "Put fewer of that device's peers into one communicator.")
                .answers(CUDA_ERROR_INVALID_DEVICE, "The peer's context is of the same device.", CallEntry.REPORT)
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "Peer access takes 0 for its flags and got something else.",
                        CallEntry.REPORT);
        CallEntry.of(table, "cuMemGetInfo", "tell how much device memory is free")
                .inContext()
                .answers(
                        CUDA_ERROR_INVALID_VALUE,
                        "There was no place to put the figures of the device's memory.",
                        CallEntry.REPORT);
    }
}
