package io.tutti.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.tutti.gpu.driver.AllocationProperties;
import io.tutti.gpu.driver.CuMemHandle;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.posix.Descriptors;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The answers that the host driver imitates, from the real one. */
@Tag("gpu")
@Timeout(60)
class RealRefusalsTest {

    private static final long MIB = 1 << 20;

    static DriverException failure(Runnable call) {
        try {
            call.run();
        } catch (DriverException e) {
            return e;
        }
        return fail("the call succeeded");
    }

    @ParameterizedTest
    @EnumSource(names = {"JNA", "JCUDA"})
    void refusalsHaveTheirCodes(CudaBinding binding) {
        try (RealDevice device = RealDevice.open(binding)) {
            AllocationProperties plain = new AllocationProperties(0, ShareableType.NONE);
            List<String> answers = new ArrayList<>();
            record(answers, () -> device.driver.memCreate(400L * 1024 * MIB, plain));
            record(answers, () -> device.driver.memCreate(1000, plain));
            record(answers, () -> device.driver.memCreate(2 * MIB, new AllocationProperties(77, ShareableType.NONE)));
            record(answers, () -> device.driver.memAlloc(1L << 50));
            record(answers, () -> device.driver.ipcOpenMemHandle(new byte[64]));
            long own = device.driver.memAlloc(MIB);
            byte[] handle = device.driver.ipcGetMemHandle(own);
            record(answers, () -> device.driver.ipcOpenMemHandle(handle));
            device.driver.memFree(own);
            RealDevice.Mapped mapped = device.virtual(ShareableType.NONE);
            record(answers, () -> device.driver.ipcGetMemHandle(mapped.address()));
            record(answers, () -> device.driver.memExportToShareableHandle(mapped.handle(), ShareableType.POSIX_FD));
            device.free(mapped);
            record(answers, () -> device.driver.memImportFromShareableHandle(new ShareableHandle.PosixFd(987)));
            assertThat(answers)
                    .containsExactly(
                            "cuMemCreate 2",
                            "cuMemCreate 1",
                            "cuMemCreate 101",
                            "cuMemAlloc 2",
                            "cuIpcOpenMemHandle 1",
                            "cuIpcOpenMemHandle 201",
                            "cuIpcGetMemHandle 1",
                            "cuMemExportToShareableHandle 1",
                            "cuMemImportFromShareableHandle 999");
        }
    }

    /** Without an IMEX channel 800; with one it works. Either is an answer, not a crash. */
    @ParameterizedTest
    @EnumSource(names = {"JNA", "JCUDA"})
    void fabricMemoryIsMadeOrRefusedWithAReason(CudaBinding binding) {
        try (RealDevice device = RealDevice.open(binding)) {
            try {
                CuMemHandle handle =
                        device.driver.memCreate(2 * MIB, new AllocationProperties(0, ShareableType.FABRIC));
                device.driver.memRelease(handle);
                System.out.println(binding + ": fabric memory works here");
            } catch (DriverException e) {
                System.out.println(binding + ": " + e.info().describe());
                assertThat(e.result().code()).isIn(800, 801);
            }
            assertThat(failure(() -> device.driver.memImportFromShareableHandle(
                                    new ShareableHandle.Fabric(new byte[64])))
                            .result()
                            .code())
                    .isIn(1, 400, 800, 801);
        }
    }

    /** The descriptor stays the caller's: the import neither closes nor keeps it. */
    @ParameterizedTest
    @EnumSource(names = {"JNA", "JCUDA"})
    void anImportedDescriptorIsStillOurs(CudaBinding binding) throws Exception {
        try (RealDevice device = RealDevice.open(binding)) {
            RealDevice.Mapped mapped = device.virtual(ShareableType.POSIX_FD);
            ShareableHandle exported =
                    device.driver.memExportToShareableHandle(mapped.handle(), ShareableType.POSIX_FD);
            CuMemHandle again = device.driver.memImportFromShareableHandle(exported);
            Descriptors.close(((ShareableHandle.PosixFd) exported).fd());
            RealDevice.Mapped twin = device.map(again, mapped.bytes());
            device.write(mapped.address(), 4711);
            assertThat(device.read(twin.address())).isEqualTo(4711);
            device.free(twin);
            device.free(mapped);
        }
    }

    private static void record(List<String> answers, Runnable call) {
        DriverException failure = failure(call);
        assertThat(failure.info().advice()).isNotBlank();
        answers.add(failure.call() + " " + failure.result().code());
    }
}
