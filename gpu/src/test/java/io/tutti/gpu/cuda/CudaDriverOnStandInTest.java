package io.tutti.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.cuda.calls.CudaCalls;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What really arrives at the driver, byte for byte, by either binding. */
@Timeout(180)
@EnabledOnOs(OS.LINUX)
class CudaDriverOnStandInTest {

    private static final Map<CudaBinding, StandIn.Run> RUNS = new EnumMap<>(CudaBinding.class);

    @TempDir
    static Path folder;

    @BeforeAll
    static void callEverything() throws Exception {
        StandIn standIn = StandIn.compile(folder);
        for (CudaBinding binding : CudaBinding.values()) {
            if (binding != CudaBinding.JCUDA || System.getProperty("os.arch").equals("amd64")) {
                RUNS.put(binding, standIn.run(Map.of(), binding.name()));
            }
        }
    }

    private static StandIn.Run run(CudaBinding binding) {
        StandIn.Run run = RUNS.get(binding);
        Assumptions.assumeTrue(run != null, "SKIPPED: no JCuda natives for this processor");
        assertThat(run).isNotNull();
        return run;
    }

    @ParameterizedTest
    @EnumSource
    void everyAnswerComesBack(CudaBinding binding) {
        assertThat(run(binding).output())
                .contains(
                        "driver=cuda version=13000 devices=2",
                        "identity=DeviceIdentity[name=Recorder 1, uuid=GPU-10111213-1415-1617-1819-1a1b1c1d1e1f,"
                                + " pciBusId=0000:01:00.0, totalBytes=151397597184]",
                        "peer=true",
                        "info=MemoryInfo[freeBytes=1000, totalBytes=2000]",
                        "copied=true true",
                        "mapped=256 LITTLE_ENDIAN 0 8",
                        "exported=PosixFd[fd=77] -85",
                        "multicast=2097152",
                        "idle=true true true 1.5",
                        "live=0",
                        "temporary=/tmp");
    }

    @ParameterizedTest
    @EnumSource
    void virtualMemoryStructsHaveTheHeadersLayout(CudaBinding binding) {
        StandIn.Run run = run(binding);
        // type pinned, handle types POSIX, location device 1, no win32 pointer, no flags.
        String properties = "prop=01000000" + "01000000" + "01000000" + "01000000" + "0".repeat(32);
        assertThat(run.call("cuMemCreate")).isEqualTo("cuMemCreate bytes=2097152 flags=0 mode=2 " + properties);
        assertThat(run.call("cuMemGetAllocationGranularity")).endsWith(" option=1 " + properties);
        assertThat(run.call("cuMemSetAccess"))
                .isEqualTo("cuMemSetAccess p=700000000000 bytes=2097152 count=1 desc=" + "01000000" + "01000000"
                        + "03000000");
        assertThat(run.call("cuMulticastGetGranularity"))
                .isEqualTo("cuMulticastGetGranularity option=1 prop=" + "02000000" + "00000000" + "0000200000000000"
                        + "0800000000000000" + "0".repeat(16));
    }

    @ParameterizedTest
    @EnumSource
    void multicastIsAskedForAndNeverMade(CudaBinding binding) {
        StandIn.Run run = run(binding);
        List<String> calls =
                List.of("cuMulticastCreate", "cuMulticastAddDevice", "cuMulticastBindMem", "cuMulticastUnbind");
        for (String call : calls) {
            assertThat(run.output()).contains(call + "=CUDA_ERROR_NOT_SUPPORTED");
            assertThat(run.calls(call)).as("the library is not called").isEmpty();
        }
    }

    /** No binding could call it: the names that reach the library are those of the interface of calls. */
    @Test
    void noBindingHasAMulticastCallButTheQuery() {
        assertThat(Arrays.stream(CudaCalls.class.getMethods()).map(Method::getName))
                .filteredOn(name -> name.toLowerCase(Locale.ROOT).contains("multicast"))
                .allMatch(name -> name.toLowerCase(Locale.ROOT).contains("granularity"))
                .isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void handlesTravelAsTheDriverWantsThem(CudaBinding binding) {
        StandIn.Run run = run(binding);
        assertThat(run.calls("cuMemExportToShareableHandle"))
                .hasSize(2)
                .allMatch(line -> line.contains(" out=set "))
                .anyMatch(line -> line.endsWith(" type=1 flags=0"))
                .anyMatch(line -> line.endsWith(" type=8 flags=0"));
        assertThat(run.calls("cuMemImportFromShareableHandle"))
                .containsExactly(
                        "cuMemImportFromShareableHandle type=1 value=77",
                        "cuMemImportFromShareableHandle type=8 fabric=" + "ab".repeat(64));
        StringBuilder handle = new StringBuilder();
        for (int i = 0; i < 64; i++) {
            handle.append(String.format("%02x", i));
        }
        assertThat(run.call("cuIpcOpenMemHandle")).isEqualTo("cuIpcOpenMemHandle flags=1 handle=" + handle);
    }

    @ParameterizedTest
    @EnumSource
    void launchesCarryTheirGeometryAndAttributes(CudaBinding binding) {
        StandIn.Run run = run(binding);
        String params = " params=" + "8877665544332211" + "0807060504030201";
        assertThat(run.call("cuLaunchKernel"))
                .contains(" grid=1,1,1 block=1,1,1 shared=0 ")
                .endsWith(" extra=null" + params);
        List<String> extended = run.calls("cuLaunchKernelEx");
        String cluster4 = " attribute=04000000" + "00000000" + "04000000" + "01000000" + "01000000" + "0".repeat(104);
        String programmatic = " attribute=06000000" + "00000000" + "01000000" + "0".repeat(120);
        assertThat(extended).hasSize(2);
        assertThat(extended.get(0))
                .contains(" size=56 grid=132,1,1 block=1024,1,1 shared=100000 ", " count=2 extra=null")
                .endsWith(cluster4 + programmatic + params);
        assertThat(extended.get(1)).contains(" count=1 ").contains(" attribute=04000000" + "00000000" + "10000000");
        // Once per kernel: more shared memory than is ordinary, and a cluster of 16.
        assertThat(run.calls("cuFuncSetAttribute"))
                .containsExactly(
                        "cuFuncSetAttribute attribute=8 value=100000", "cuFuncSetAttribute attribute=14 value=1");
        assertThat(run.call("cuModuleLoadData")).contains(" text=.version 7.8 // ");
    }

    @ParameterizedTest
    @EnumSource
    void whatACaptureWouldForbidIsRelaxedAndStreamsAreNonBlocking(CudaBinding binding) {
        StandIn.Run run = run(binding);
        assertThat(run.call("cuMemAlloc")).isEqualTo("cuMemAlloc bytes=3145728 mode=2");
        assertThat(run.call("cuDevicePrimaryCtxRetain")).endsWith(" mode=2");
        assertThat(run.call("cuStreamBeginCapture")).isEqualTo("cuStreamBeginCapture mode=2");
        assertThat(run.calls("cuStreamCreate")).hasSize(2).allMatch(line -> line.endsWith(" flags=1"));
        assertThat(run.calls("cuMemcpyHtoDAsync")).hasSize(3).allMatch(line -> line.endsWith(" ownStream=1"));
        assertThat(run.call("cuMemHostAlloc")).endsWith(" flags=3");
        // The copy lane's stream goes with the last reference to its context.
        assertThat(run.calls("cuStreamDestroy")).hasSize(2);
    }
}
