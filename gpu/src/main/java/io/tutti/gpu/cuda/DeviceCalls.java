package io.tutti.gpu.cuda;

import io.tutti.gpu.cuda.nvml.Nvml;
import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.DeviceAttribute;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.FabricInfo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** What devices say about themselves. An ordinal is one among the devices that CUDA_VISIBLE_DEVICES leaves visible. */
final class DeviceCalls {

    private static final int TEXT_BYTES = 256;

    private final Session session;
    private final Nvml nvml;
    private final Map<Integer, DeviceIdentity> identities = new ConcurrentHashMap<>();

    DeviceCalls(Session session, Nvml nvml) {
        this.session = session;
        this.nvml = nvml;
    }

    /** The driver's own number of a device. */
    int handle(int ordinal) {
        int[] device = new int[1];
        session.check("cuDeviceGet", session.calls().cuDeviceGet(device, ordinal), () -> "device=" + ordinal);
        return device[0];
    }

    DeviceIdentity identity(int ordinal) {
        DeviceIdentity known = identities.get(ordinal);
        if (known == null) {
            known = ask(ordinal);
            identities.put(ordinal, known);
        }
        return known;
    }

    private DeviceIdentity ask(int ordinal) {
        int device = handle(ordinal);
        byte[] name = new byte[TEXT_BYTES];
        check("cuDeviceGetName", session.calls().cuDeviceGetName(name, name.length, device), ordinal);
        byte[] uuid = new byte[16];
        check("cuDeviceGetUuid", session.calls().cuDeviceGetUuid(uuid, device), ordinal);
        byte[] pci = new byte[TEXT_BYTES];
        check("cuDeviceGetPCIBusId", session.calls().cuDeviceGetPCIBusId(pci, pci.length, device), ordinal);
        long[] total = new long[1];
        check("cuDeviceTotalMem", session.calls().cuDeviceTotalMem(total, device), ordinal);
        String bare = uuid(uuid);
        return new DeviceIdentity(
                text(name),
                (nvml.isMig(bare) ? "MIG-" : "GPU-") + bare,
                text(pci).toLowerCase(Locale.ROOT),
                total[0]);
    }

    int attribute(DeviceAttribute attribute, int ordinal) {
        int[] value = new int[1];
        int code = session.calls().cuDeviceGetAttribute(value, attribute.code(), handle(ordinal));
        session.check("cuDeviceGetAttribute", code, () -> "attribute=" + attribute + " device=" + ordinal);
        return value[0];
    }

    boolean canAccessPeer(int ordinal, int peer) {
        int[] can = new int[1];
        int code = session.calls().cuDeviceCanAccessPeer(can, handle(ordinal), handle(peer));
        session.check("cuDeviceCanAccessPeer", code, () -> "device=" + ordinal + " peer=" + peer);
        return can[0] != 0;
    }

    FabricInfo fabric(int ordinal) {
        return nvml.fabricInfo(identity(ordinal).pciBusId());
    }

    ConfidentialComputing confidentialComputing() {
        return nvml.confidentialComputing();
    }

    /** Promised by the links to those of the devices visible here that are peers. */
    long peerBytesPerSecond(int ordinal, int devices) {
        List<String> peers = IntStream.range(0, devices)
                .filter(peer -> peer != ordinal && canAccessPeer(ordinal, peer))
                .mapToObj(peer -> identity(peer).pciBusId())
                .toList();
        int capability = attribute(DeviceAttribute.COMPUTE_CAPABILITY_MAJOR, ordinal) * 10
                + attribute(DeviceAttribute.COMPUTE_CAPABILITY_MINOR, ordinal);
        return nvml.peerBytesPerSecond(identity(ordinal).pciBusId(), peers, capability);
    }

    private void check(String call, int code, int ordinal) {
        session.check(call, code, () -> "device=" + ordinal);
    }

    private static String text(byte[] zeroTerminated) {
        int length = 0;
        while (length < zeroTerminated.length && zeroTerminated[length] != 0) {
            length++;
        }
        return new String(zeroTerminated, 0, length, StandardCharsets.UTF_8);
    }

    private static String uuid(byte[] bytes) {
        ByteBuffer bigEndian = ByteBuffer.wrap(bytes);
        return new UUID(bigEndian.getLong(), bigEndian.getLong()).toString();
    }
}
