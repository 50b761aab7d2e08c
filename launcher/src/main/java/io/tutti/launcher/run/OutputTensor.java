package io.tutti.launcher.run;

import io.tutti.gpu.Epilogue;
import java.util.List;

/** The outputs that a run asks for, in the order in which they are hashed and written. */
enum OutputTensor {
    RESIDUAL_OUT("residual_out"),
    NORM_OUT("norm_out"),
    SUM_OUT("sum_out");

    private final String fileName;

    OutputTensor(String fileName) {
        this.fileName = fileName;
    }

    /** The name in an output file and in messages. */
    String fileName() {
        return fileName;
    }

    static List<OutputTensor> of(Epilogue epilogue) {
        return epilogue.hasNorm() ? List.of(RESIDUAL_OUT, NORM_OUT) : List.of(SUM_OUT);
    }
}
