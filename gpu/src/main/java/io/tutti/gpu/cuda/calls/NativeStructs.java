package io.tutti.gpu.cuda.calls;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.LaunchGeometry;
import io.tutti.gpu.driver.ShareableType;
import java.nio.ByteBuffer;

/**
 * The structs of {@code cuda.h} that the runtime passes, written into native memory byte for byte. Offsets are those of
 * 64-bit Linux. Each method writes at an absolute position, zeroes every byte that it does not set, and returns how many
 * bytes the struct has.
 */
public final class NativeStructs {

    /** {@code CUmemAllocationProp}. */
    public static final int ALLOCATION_PROP_BYTES = 32;

    /** {@code CUmemAccessDesc}. */
    public static final int ACCESS_DESC_BYTES = 12;

    /** {@code CUmulticastObjectProp}. */
    public static final int MULTICAST_PROP_BYTES = 32;

    /** {@code CUlaunchConfig}. */
    public static final int LAUNCH_CONFIG_BYTES = 56;

    /** {@code CUlaunchAttribute}. */
    public static final int LAUNCH_ATTRIBUTE_BYTES = 72;

    /** {@code CUmemFabricHandle} and {@code CUipcMemHandle}. */
    public static final int HANDLE_BYTES = 64;

    private static final int ALLOCATION_TYPE_PINNED = 1;
    private static final int LOCATION_TYPE_DEVICE = 1;
    private static final int ACCESS_READ_WRITE = 3;
    private static final int ATTRIBUTE_CLUSTER_DIMENSION = 4;
    private static final int ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6;
    private static final int CONFIG_STREAM = 32;
    private static final int CONFIG_ATTRIBUTES = 40;
    private static final int CONFIG_ATTRIBUTE_COUNT = 48;
    private static final int ATTRIBUTE_VALUE = 8;

    private NativeStructs() {}

    /** {@code CUmemAllocationProp}: type, handle types, location type, location id, then a pointer and flags of zero. */
    public static int allocationProp(ByteBuffer target, int at, AllocationProperties properties) {
        zero(target, at, ALLOCATION_PROP_BYTES);
        target.putInt(at, ALLOCATION_TYPE_PINNED)
                .putInt(at + 4, properties.shareable().code())
                .putInt(at + 8, LOCATION_TYPE_DEVICE)
                .putInt(at + 12, properties.device());
        return ALLOCATION_PROP_BYTES;
    }

    /** {@code CUmemAccessDesc}: location type, location id, flags. */
    public static int accessDesc(ByteBuffer target, int at, int device) {
        target.putInt(at, LOCATION_TYPE_DEVICE).putInt(at + 4, device).putInt(at + 8, ACCESS_READ_WRITE);
        return ACCESS_DESC_BYTES;
    }

    /** {@code CUmulticastObjectProp}: device count, size, handle types, flags of zero. */
    public static int multicastProp(ByteBuffer target, int at, int devices, long bytes, ShareableType type) {
        zero(target, at, MULTICAST_PROP_BYTES);
        target.putInt(at, devices).putLong(at + 8, bytes).putLong(at + 16, type.code());
        return MULTICAST_PROP_BYTES;
    }

    /**
     * {@code CUlaunchConfig}, followed in memory by its attributes.
     *
     * @param attributesAddress the native address of {@code at + attributesAt}
     * @param attributesAt where the attributes go, relative to {@code at}
     */
    public static int launchConfig(
            ByteBuffer target, int at, LaunchGeometry geometry, long stream, long attributesAddress, int attributesAt) {
        zero(target, at, LAUNCH_CONFIG_BYTES);
        target.putInt(at, geometry.gridBlocks())
                .putInt(at + 4, 1)
                .putInt(at + 8, 1)
                .putInt(at + 12, geometry.blockThreads())
                .putInt(at + 16, 1)
                .putInt(at + 20, 1)
                .putInt(at + 24, geometry.sharedBytes())
                .putLong(at + CONFIG_STREAM, stream);
        int attributes = 0;
        if (geometry.clusterBlocks() > 1) {
            int attribute = attribute(target, at + attributesAt, attributes++, ATTRIBUTE_CLUSTER_DIMENSION);
            target.putInt(attribute, geometry.clusterBlocks())
                    .putInt(attribute + 4, 1)
                    .putInt(attribute + 8, 1);
        }
        if (geometry.programmatic()) {
            int attribute =
                    attribute(target, at + attributesAt, attributes++, ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
            target.putInt(attribute, 1);
        }
        if (attributes > 0) {
            target.putLong(at + CONFIG_ATTRIBUTES, attributesAddress).putInt(at + CONFIG_ATTRIBUTE_COUNT, attributes);
        }
        return LAUNCH_CONFIG_BYTES;
    }

    /** Writes an attribute's id and returns where its value goes. */
    private static int attribute(ByteBuffer target, int base, int index, int id) {
        int at = base + index * LAUNCH_ATTRIBUTE_BYTES;
        zero(target, at, LAUNCH_ATTRIBUTE_BYTES);
        target.putInt(at, id);
        return at + ATTRIBUTE_VALUE;
    }

    private static void zero(ByteBuffer target, int at, int bytes) {
        for (int i = 0; i < bytes; i++) {
            target.put(at + i, (byte) 0);
        }
    }
}
