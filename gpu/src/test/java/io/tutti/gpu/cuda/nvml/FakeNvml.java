package io.tutti.gpu.cuda.nvml;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;

/** A management library with two devices whose answers a test sets. */
final class FakeNvml implements NvmlCalls {

    static final String ONE = "0000:01:00.0";
    static final String OTHER = "0000:02:00.0";

    private static final int NOT_FOUND = 6;

    int fabric;
    int fabricVersioned = FUNCTION_NOT_FOUND;
    int state = 3;
    int status;
    int healthMask;
    int confidential = FUNCTION_NOT_FOUND;
    int confidentialFeature;
    int links;
    int nvLinkStatus;
    int pcieGeneration = 5;
    int pcieLanes = 16;
    int shutdowns;
    Set<String> uuids = Set.of();

    @Override
    public int nvmlInit_v2() {
        return SUCCESS;
    }

    @Override
    public int nvmlShutdown() {
        shutdowns++;
        return SUCCESS;
    }

    @Override
    public int nvmlDeviceGetHandleByPciBusId_v2(String pciBusId, long[] device) {
        device[0] = pciBusId.equals(ONE) ? 7 : 8;
        return pciBusId.equals(ONE) || pciBusId.equals(OTHER) ? SUCCESS : NOT_FOUND;
    }

    @Override
    public int nvmlDeviceGetHandleByUUID(String uuid, long[] device) {
        return uuids.contains(uuid) ? SUCCESS : NOT_FOUND;
    }

    @Override
    public int nvmlDeviceGetGpuFabricInfo(long device, byte[] info) {
        write(ByteBuffer.wrap(info));
        return fabric;
    }

    @Override
    public int nvmlDeviceGetGpuFabricInfoV(long device, byte[] info) {
        ByteBuffer struct = ByteBuffer.wrap(info).order(ByteOrder.nativeOrder());
        if (fabricVersioned == SUCCESS && struct.getInt(0) != (36 | (2 << 24))) {
            throw new AssertionError("the caller says which version of the struct it has");
        }
        write(ByteBuffer.wrap(info, 4, 28).slice());
        struct.putInt(32, healthMask);
        return fabricVersioned;
    }

    private void write(ByteBuffer info) {
        info.order(ByteOrder.nativeOrder());
        for (int i = 0; i < 16; i++) {
            info.put((byte) (0xa0 + i));
        }
        info.putInt(status).putInt(5).put((byte) state);
    }

    @Override
    public int nvmlSystemGetConfComputeState(int[] answer) {
        answer[0] = 2;
        answer[1] = confidentialFeature;
        return confidential;
    }

    @Override
    public int nvmlDeviceGetP2PStatus(long device, long peer, int capability, int[] answer) {
        answer[0] = capability == P2P_CAPS_INDEX_NVLINK && device == 7 && peer == 8 ? nvLinkStatus : 5;
        return SUCCESS;
    }

    @Override
    public int nvmlDeviceGetNvLinkState(long device, int link, int[] active) {
        active[0] = 1;
        return link < links ? SUCCESS : NOT_FOUND;
    }

    @Override
    public int nvmlDeviceGetMaxPcieLinkGeneration(long device, int[] generation) {
        generation[0] = pcieGeneration;
        return SUCCESS;
    }

    @Override
    public int nvmlDeviceGetMaxPcieLinkWidth(long device, int[] lanes) {
        lanes[0] = pcieLanes;
        return SUCCESS;
    }
}
