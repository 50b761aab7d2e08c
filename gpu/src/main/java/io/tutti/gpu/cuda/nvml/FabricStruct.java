package io.tutti.gpu.cuda.nvml;

import io.tutti.gpu.driver.FabricInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * {@code nvmlGpuFabricInfo_t}: the cluster's UUID, the fabric manager's status, the clique, the state, padding; and its
 * second version, with the version before that and the health after it.
 */
final class FabricStruct {

    static final int BYTES = 28;
    static final int BYTES_V = 36;

    private static final int VERSION_BYTES = 4;
    private static final int VERSION = BYTES_V | (2 << 24);
    private static final int STATUS = 16;
    private static final int CLIQUE = 20;
    private static final int STATE = 24;
    private static final int HEALTH = 32;

    /** What a pair of bits of the health mask says is wrong when it is 1; 2 is fine, 0 not told. */
    private static final List<String> TROUBLES =
            List.of("degraded-bandwidth", "route-recovery", "unhealthy-route", "access-timeout-recovery");

    private FabricStruct() {}

    /** A struct of the second version, to be filled in. */
    static byte[] versioned() {
        byte[] info = new byte[BYTES_V];
        ByteBuffer.wrap(info).order(ByteOrder.nativeOrder()).putInt(VERSION);
        return info;
    }

    static FabricInfo read(byte[] info) {
        return read(ByteBuffer.wrap(info), FabricInfo.UNKNOWN_HEALTH);
    }

    static FabricInfo readVersioned(byte[] info) {
        int mask = ByteBuffer.wrap(info).order(ByteOrder.nativeOrder()).getInt(HEALTH);
        return read(ByteBuffer.wrap(info, VERSION_BYTES, BYTES).slice(), health(mask));
    }

    private static FabricInfo read(ByteBuffer info, String health) {
        String uuid = new UUID(info.getLong(0), info.getLong(Long.BYTES)).toString();
        info.order(ByteOrder.nativeOrder());
        return new FabricInfo(uuid, info.getInt(CLIQUE), state(info.get(STATE), info.getInt(STATUS)), health);
    }

    private static String state(byte state, int status) {
        return switch (state) {
            case 1 -> "not-started";
            case 2 -> "in-progress";
            case 3 -> status == 0 ? "completed" : "failed";
            default -> Nvml.NOT_SUPPORTED;
        };
    }

    private static String health(int mask) {
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < TROUBLES.size(); i++) {
            if (((mask >>> (2 * i)) & 3) == 1) {
                wrong.add(TROUBLES.get(i));
            }
        }
        if (wrong.isEmpty()) {
            return mask == 0 ? FabricInfo.UNKNOWN_HEALTH : "healthy";
        }
        return String.join(",", wrong);
    }
}
