package io.tutti.launcher.cli;

import com.typesafe.config.Config;
import io.tutti.config.CommunicatorSettings;
import io.tutti.config.ConfigOverride;
import io.tutti.config.TuttiSettings;
import io.tutti.launcher.files.TargetFile;
import io.tutti.launcher.input.FileTensors;
import io.tutti.launcher.input.InputTensors;
import io.tutti.launcher.input.OperationShape;
import io.tutti.launcher.input.SeededTensors;
import io.tutti.launcher.processes.JvmCommand;
import io.tutti.launcher.processes.ProcessesPlan;
import io.tutti.launcher.run.Operation;
import io.tutti.launcher.run.RunRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** From options to a decided run. Everything that can be wrong about a request is found here, before anything starts. */
final class RunPreparation {

    private final ClusterOptions cluster;
    private final OperationOptions options;
    private final @Nullable Path input;
    private final @Nullable Path output;
    private final Map<String, String> environment;
    private final Placement placement;

    RunPreparation(RunOptions options, Map<String, String> environment, Placement placement) {
        this.placement = placement;
        this.cluster = options.cluster;
        this.options = options.operation;
        this.input = options.files.input;
        this.output = placement.writesOutput() ? options.files.output : null;
        this.environment = environment;
    }

    /** A decided run; owns the input file. */
    record Prepared(RunRequest request, DriverDecision decision, Optional<FileTensors> file, OperationShape shape)
            implements AutoCloseable {

        /** Until a rank has added so many elements, compiling well costs more than it gains (measured on 2 cores). */
        private static final double WORTH_COMPILING = 5e8;

        /** How well rank processes should be compiled. */
        JvmCommand.Compilation compilation() {
            double elements = (double) shape.tokens()
                    * shape.hidden()
                    * settings().largestWorld()
                    * request.operation().iterations();
            return elements < WORTH_COMPILING ? JvmCommand.Compilation.QUICK : JvmCommand.Compilation.FULL;
        }

        Config config() {
            return decision.config();
        }

        TuttiSettings settings() {
            return decision.settings();
        }

        /** The same run with its ranks dealt to processes. */
        ProcessesPlan plan(int processes) {
            Map<String, Integer> worldSizes = settings().communicators().stream()
                    .collect(Collectors.toMap(CommunicatorSettings::name, CommunicatorSettings::worldSize));
            return ProcessesPlan.of(request, worldSizes, processes, ProcessLimits.of(settings(), request.limits()));
        }

        @Override
        public void close() {
            file.ifPresent(FileTensors::close);
        }
    }

    /** @throws io.tutti.gpu.TuttiException with code USAGE, CONFIGURATION, INPUT or SYSTEM, and nothing left open */
    Prepared prepare() {
        checkPaths();
        Operation operation = options.operation();
        Optional<FileTensors> file = Optional.ofNullable(input)
                .map(path -> FileTensors.open(path, operation.epilogue().hasNorm()));
        try {
            return prepare(operation, file);
        } catch (RuntimeException e) {
            file.ifPresent(FileTensors::close);
            throw e;
        }
    }

    private Prepared prepare(Operation operation, Optional<FileTensors> file) {
        file.ifPresent(this::checkContradictions);
        DriverDecision decision = DriverDecision.of(cluster, placed(file.map(this::worldSize)), environment);
        TuttiSettings settings = decision.settings();
        checkCommunicators(settings);
        OperationShape shape = file.map(FileTensors::shape).orElseGet(options::shape);
        if (!(placement instanceof Placement.Share)) {
            // A rank process's siblings have taken their part already; the launcher checked the whole.
            decision.checkDevices();
            decision.checkMemory(shape, operation.epilogue());
        }
        IntFunction<InputTensors> inputs = ranks -> file.<InputTensors>map(opened -> opened)
                .orElseGet(() -> new SeededTensors(ranks, shape, options.seed()));
        RunRequest request = new RunRequest(
                settings.communicators().stream()
                        .map(CommunicatorSettings::name)
                        .toList(),
                operation,
                inputs,
                Optional.ofNullable(output),
                RunLimits.of(settings, shape));
        return new Prepared(request, decision, file, shape);
    }

    private List<ConfigOverride> placed(Optional<ConfigOverride> worldSize) {
        List<ConfigOverride> overrides = new ArrayList<>(placement.overrides());
        worldSize.ifPresent(overrides::add);
        return overrides;
    }

    private ConfigOverride worldSize(FileTensors file) {
        return ClusterOptions.worldSize(file.worldSize(), "the input file " + input);
    }

    private void checkPaths() {
        if (output == null) {
            return;
        }
        TargetFile.check(output);
        if (input != null && sameFile(input, output)) {
            throw Usage.mistake(
                    "--output would overwrite the input: file=" + output, "Name another file with --output.");
        }
    }

    private static boolean sameFile(Path one, Path other) {
        try {
            return Files.exists(one) && Files.exists(other) && Files.isSameFile(one, other);
        } catch (IOException e) {
            // One of the two cannot be looked at; reading or writing it will say why.
            return false;
        }
    }

    private void checkContradictions(FileTensors file) {
        contradiction("--ranks", cluster.ranks, file.worldSize());
        contradiction("--tokens", options.tokens, file.shape().tokens());
        contradiction("--hidden", options.hidden, file.shape().hidden());
        contradiction(
                "--dtype",
                options.dtype == null ? null : options.dtype.wireName(),
                file.shape().dtype().wireName());
    }

    private void contradiction(String option, @Nullable Object given, Object inFile) {
        if (given != null && !Objects.equals(given, inFile)) {
            throw Usage.mistake(
                    "option " + option + " contradicts the input file: " + option + "=" + given + " file=" + input
                            + " has=" + inFile,
                    "Leave " + option + " out: with --input, the file decides.");
        }
    }

    private void checkCommunicators(TuttiSettings settings) {
        if (placement instanceof Placement.Here) {
            HostingRules.checkAllHere("run", settings);
        } else if (placement instanceof Placement.Elsewhere) {
            HostingRules.checkProcesses(cluster.processes(), settings);
        }
        if (output != null && settings.communicators().size() != 1) {
            throw Usage.mistake(
                    "--output holds one communicator's result, but several are configured: communicators="
                            + settings.communicators().stream()
                                    .map(CommunicatorSettings::name)
                                    .toList(),
                    "Leave --output out, or configure one communicator.");
        }
    }
}
