package io.tutti.gpu.host.kernels;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.abi.FusedKernels;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.host.execution.HostKernel;
import java.util.HashMap;
import java.util.Map;

/** The host driver's kernel image. */
public final class HostKernels {

    private static final Map<String, HostKernel> ALL = kernels();

    private HostKernels() {}

    private static Map<String, HostKernel> kernels() {
        Map<String, HostKernel> kernels = new HashMap<>();
        kernels.put(KernelAbi.ARM, new ArmKernel());
        kernels.put(KernelAbi.WRITE_PATTERN, new WritePatternKernel());
        kernels.put(KernelAbi.VERIFY_PATTERN, new VerifyPatternKernel());
        HostKernel oneShot = new OneShotKernel();
        FusedKernels.names(Algorithm.ONE_SHOT).forEach(name -> kernels.put(name, oneShot));
        HostKernel twoShot = new TwoShotKernel();
        FusedKernels.names(Algorithm.TWO_SHOT).forEach(name -> kernels.put(name, twoShot));
        return Map.copyOf(kernels);
    }

    /** Every kernel by its name in the image {@link KernelAbi#IMAGE}. */
    public static Map<String, HostKernel> all() {
        return ALL;
    }
}
