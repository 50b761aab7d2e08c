package io.tutti.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tutti.gpu.ErrorCode;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Where the driver cannot be used, a sentence says what is missing and what to do; nothing is thrown. */
@Timeout(180)
@EnabledOnOs(OS.LINUX)
class CudaAvailabilityTest {

    @TempDir
    static Path folder;

    private static StandIn standIn;

    @BeforeAll
    static void compile() throws Exception {
        standIn = StandIn.compile(folder);
    }

    @ParameterizedTest
    @EnumSource
    void aMachineWithoutADriverIsAValue(CudaBinding binding) {
        assertThatCode(() -> {
                    CudaAvailability first = Cuda.open(binding, "standin");
                    Assumptions.assumeFalse(
                            first instanceof CudaAvailability.Usable, "SKIPPED: this machine has a CUDA device");
                    CudaAvailability again = Cuda.open(binding, "standin");
                    for (CudaAvailability answer : new CudaAvailability[] {first, again}) {
                        CudaAvailability.Unusable unusable = (CudaAvailability.Unusable) answer;
                        assertThat(unusable.why().code()).isEqualTo(ErrorCode.SYSTEM);
                        assertThat(unusable.why().describe())
                                .contains("library=libcuda.so.1", "Install the NVIDIA driver", "--driver host")
                                .doesNotContain(":.");
                    }
                })
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "STANDIN_ANSWERS|cuInit=100|cuInit answered 100 CUDA_ERROR_NO_DEVICE",
                "STANDIN_ANSWERS|cuInit=803|cuInit answered 803 CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
                "STANDIN_ANSWERS|cuInit=34|cuInit answered 34 CUDA_ERROR_STUB_LIBRARY",
                "STANDIN_VERSION|11070|the NVIDIA driver is too old: cudaVersion=11070 needed=11080",
                "STANDIN_DEVICES|0|cuDeviceGetCount answered 100 CUDA_ERROR_NO_DEVICE",
                "STANDIN_MAJOR|7|no device is new enough: devices=2 bestComputeCapability=7.0 needed=8.0",
            })
    void aDriverThatCannotServeSaysWhy(String variable, String value, String sentence) throws Exception {
        StandIn.Run run = standIn.run(Map.of(variable, value), "JNA");
        assertThat(run.output())
                .anyMatch(line ->
                        line.startsWith("unusable: ") && line.contains(sentence) && line.contains("--driver host"));
    }

    @Test
    void anOlderDeviceGetsTheOlderImage() throws Exception {
        StandIn.Run run = standIn.run(Map.of("STANDIN_MAJOR", "8"), "JNA", "standin");
        assertThat(run.call("cuModuleLoadData")).contains(" text=.version 7.0 // ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cuModuleLoadData=222,cuModuleLoadDataEx=222|cuModuleLoadData answered 222"
                        + " CUDA_ERROR_UNSUPPORTED_PTX_VERSION: image=standin.sm_90.ptx device=Recorder 0"
                        + " computeCapability=9.0 driverVersion=13000 log='ptxas fatal: the stand-in assembles nothing'",
                "cuModuleLoadData=209|cuModuleLoadData answered 209 CUDA_ERROR_NO_BINARY_FOR_GPU:",
                "cuMemCreate=800|cuMemCreate answered 800 CUDA_ERROR_NOT_PERMITTED: bytes=2097152 device=0"
                        + " shareable=FABRIC",
                "cuMemCreate=12345|cuMemCreate answered 999 CUDA_ERROR_UNKNOWN: bytes=2097152 device=0"
                        + " shareable=FABRIC code=12345",
            })
    void aFailingCallNamesItselfItsResultAndItsArguments(String answers, String sentence) throws Exception {
        for (CudaBinding binding : new CudaBinding[] {CudaBinding.JNA, CudaBinding.AUTO}) {
            StandIn.Run run = standIn.run(Map.of("STANDIN_ANSWERS", answers), binding.name(), "standin");
            assertThat(run.output()).anyMatch(line -> line.startsWith("failure: " + sentence));
        }
    }

    @Test
    void anImageThatDoesNotExistIsNamed() throws Exception {
        StandIn.Run run = standIn.run(Map.of(), "JNA", "nothing");
        assertThat(run.output())
                .anyMatch(line -> line.startsWith("failure: cuModuleLoadData answered 500 CUDA_ERROR_NOT_FOUND:"
                        + " resource=nothing.sm_90.ptx"));
    }
}
