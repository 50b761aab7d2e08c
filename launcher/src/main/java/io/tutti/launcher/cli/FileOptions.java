package io.tutti.launcher.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Files that tensors come from and go to. */
final class FileOptions {

    @Option(
            names = "--input",
            paramLabel = "FILE",
            order = 40,
            description = "Read the input tensors from this safetensors file.")
    @Nullable
    Path input;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            order = 41,
            description = "Write the last operation's residual_out and norm_out (of all-reduce: sum_out) to this"
                    + " safetensors file, once they are found right.")
    @Nullable
    Path output;
}
