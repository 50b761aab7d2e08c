package io.tutti.fidelity;

import io.tutti.gpu.cuda.Cuda;
import io.tutti.gpu.cuda.CudaAvailability;
import io.tutti.gpu.cuda.CudaBinding;
import io.tutti.gpu.driver.Driver;

/** The machine's own driver; another process is a JVM of its own. */
final class CudaSubject implements Subject {

    private final Driver driver;

    private CudaSubject(Driver driver) {
        this.driver = driver;
    }

    /** @throws IllegalStateException with the reason where there is no usable driver */
    static CudaSubject open() {
        CudaAvailability answer = Cuda.open(CudaBinding.JNA, Bench.IMAGE);
        if (answer instanceof CudaAvailability.Usable usable) {
            return new CudaSubject(usable.driver());
        }
        throw new IllegalStateException(
                ((CudaAvailability.Unusable) answer).why().describe());
    }

    @Override
    public Driver driver() {
        return driver;
    }

    @Override
    public Exporter exporter(int device) {
        return ExporterProcess.start(device);
    }

    @Override
    public void close() {
        driver.close();
    }
}
