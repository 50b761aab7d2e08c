package io.tutti.gpu.cuda.jna;

import com.sun.jna.Function;
import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import io.tutti.gpu.cuda.calls.CudaCalls;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Binds {@code libcuda.so.1} by symbol name. */
public final class JnaBinding {

    /** The driver's library; only its major version is in the name. */
    public static final String LIBRARY = "libcuda.so.1";

    /** Names whose present symbol is not the name itself. */
    private static final Map<String, String> SYMBOLS = Map.ofEntries(
            Map.entry("cuDeviceGetUuid", "cuDeviceGetUuid_v2"),
            Map.entry("cuDeviceTotalMem", "cuDeviceTotalMem_v2"),
            Map.entry("cuDevicePrimaryCtxRelease", "cuDevicePrimaryCtxRelease_v2"),
            Map.entry("cuMemGetInfo", "cuMemGetInfo_v2"),
            Map.entry("cuMemAlloc", "cuMemAlloc_v2"),
            Map.entry("cuMemFree", "cuMemFree_v2"),
            Map.entry("cuMemHostGetDevicePointer", "cuMemHostGetDevicePointer_v2"),
            Map.entry("cuMemcpyHtoDAsync", "cuMemcpyHtoDAsync_v2"),
            Map.entry("cuMemcpyDtoHAsync", "cuMemcpyDtoHAsync_v2"),
            Map.entry("cuMemcpyDtoDAsync", "cuMemcpyDtoDAsync_v2"),
            Map.entry("openIpcHandle", "cuIpcOpenMemHandle_v2"),
            Map.entry("launchKernel", "cuLaunchKernel"),
            Map.entry("cuStreamDestroy", "cuStreamDestroy_v2"),
            Map.entry("cuEventDestroy", "cuEventDestroy_v2"),
            Map.entry("cuStreamBeginCapture", "cuStreamBeginCapture_v2"),
            Map.entry("cuGraphInstantiate", "cuGraphInstantiateWithFlags"));

    private static @Nullable CudaCalls bound;

    private JnaBinding() {}

    /**
     * The calls, bound once for the whole process.
     *
     * @throws LinkageError where the library or one of its symbols is missing
     */
    public static synchronized CudaCalls bind() {
        CudaCalls calls = bound;
        if (calls == null) {
            FunctionMapper names = (library, method) -> SYMBOLS.getOrDefault(method.getName(), method.getName());
            NativeLibrary library = NativeLibrary.getInstance(LIBRARY, Map.of(Library.OPTION_FUNCTION_MAPPER, names));
            Native.register(JnaCalls.class, library);
            calls = new JnaCalls(optional(library, "cuMulticastGetGranularity"));
            bound = calls;
        }
        return calls;
    }

    private static @Nullable Function optional(NativeLibrary library, String symbol) {
        try {
            return library.getFunction(symbol);
        } catch (UnsatisfiedLinkError e) {
            return null;
        }
    }
}
