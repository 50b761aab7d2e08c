package io.tutti.device;

import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.cuda.Cuda;
import io.tutti.gpu.cuda.CudaAvailability;
import io.tutti.gpu.cuda.CudaBinding;
import org.junit.jupiter.api.Assumptions;

/** The machine's devices. */
final class Devices {

    private Devices() {}

    /** Skips the tests, and says why, where there is none to use. */
    static void require() {
        CudaAvailability answer = Cuda.open(CudaBinding.AUTO, KernelAbi.IMAGE);
        if (answer instanceof CudaAvailability.Usable usable) {
            usable.driver().close();
        }
        String why = answer instanceof CudaAvailability.Unusable unusable
                ? "SKIPPED: " + unusable.why().describe()
                : "";
        Assumptions.assumeTrue(why.isEmpty(), why);
    }
}
