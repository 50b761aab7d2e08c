package io.tutti.gpu.host.kernels;

import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.host.execution.HostKernel;
import java.util.Map;

/** The host driver's kernel image. */
public final class HostKernels {

    private static final Map<String, HostKernel> ALL = Map.of(
            KernelAbi.FUSED_ONE_SHOT, new OneShotKernel(),
            KernelAbi.FUSED_TWO_SHOT, new TwoShotKernel(),
            KernelAbi.ARM, new ArmKernel(),
            KernelAbi.WRITE_PATTERN, new WritePatternKernel(),
            KernelAbi.VERIFY_PATTERN, new VerifyPatternKernel());

    private HostKernels() {}

    /** Every kernel by its name in the image {@link KernelAbi#IMAGE}. */
    public static Map<String, HostKernel> all() {
        return ALL;
    }
}
