package io.tutti.gpu.cuda.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.driver.FabricInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class NvmlTest {

    private static final class Fake implements Nvml.Calls {
        int known;
        int state = 3;
        int status;
        int shutdowns;

        @Override
        public int nvmlInit_v2() {
            return 0;
        }

        @Override
        public int nvmlShutdown() {
            shutdowns++;
            return 0;
        }

        @Override
        public int nvmlDeviceGetHandleByPciBusId_v2(String pciBusId, long[] device) {
            device[0] = pciBusId.equals("0000:01:00.0") ? 7 : 0;
            return device[0] == 7 ? 0 : 6;
        }

        @Override
        public int nvmlDeviceGetGpuFabricInfo(long device, byte[] info) {
            ByteBuffer struct = ByteBuffer.wrap(info).order(ByteOrder.nativeOrder());
            for (int i = 0; i < 16; i++) {
                struct.put((byte) (0xa0 + i));
            }
            struct.putInt(status).putInt(5).put((byte) state);
            return known;
        }
    }

    private final Fake fake = new Fake();
    private final Nvml nvml = new Nvml(fake);

    @Test
    void theDomainIsReadFromTheStruct() {
        assertThat(nvml.fabricInfo("0000:01:00.0"))
                .isEqualTo(new FabricInfo("a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf", 5, "completed"));
        fake.state = 2;
        assertThat(nvml.fabricInfo("0000:01:00.0").state()).isEqualTo("in-progress");
        fake.state = 3;
        fake.status = 15;
        assertThat(nvml.fabricInfo("0000:01:00.0").state()).isEqualTo("failed");
    }

    @Test
    void whatCannotBeAskedIsNoFabric() {
        FabricInfo none = new FabricInfo(FabricInfo.NO_CLUSTER, 0, "not-supported");
        assertThat(nvml.fabricInfo("0000:99:00.0")).isEqualTo(none);
        fake.known = 13;
        assertThat(nvml.fabricInfo("0000:01:00.0")).isEqualTo(none);
        nvml.close();
        nvml.close();
        assertThat(fake.shutdowns).isEqualTo(1);
        assertThat(nvml.fabricInfo("0000:01:00.0")).isEqualTo(none);
    }
}
