package io.tutti.launcher.run;

import io.tutti.launcher.input.InputTensors;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * One run, decided completely before anything is started.
 *
 * @param communicators names of the communicators to form and use, in this order; all of them are configured
 * @param operation what to run
 * @param inputs the input tensors for a communicator of the given world size
 * @param output the safetensors file to write the last operation's outputs to; one communicator then
 * @param limits how long to wait for what
 */
public record RunRequest(
        List<String> communicators,
        Operation operation,
        IntFunction<InputTensors> inputs,
        Optional<Path> output,
        Limits limits) {

    public RunRequest {
        communicators = List.copyOf(communicators);
        if (output.isPresent() && communicators.size() != 1) {
            throw new IllegalArgumentException("one output needs one communicator: communicators=" + communicators);
        }
    }

    /**
     * How long the run waits for Tutti, beyond which something in it is stuck. Each is longer than Tutti's own deadline
     * for the same thing, whose error says more.
     *
     * @param forming until a communicator has formed
     * @param operation until one operation has completed on every rank
     */
    public record Limits(Duration forming, Duration operation) {}
}
