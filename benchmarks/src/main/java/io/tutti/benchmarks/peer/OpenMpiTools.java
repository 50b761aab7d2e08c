package io.tutti.benchmarks.peer;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Open MPI's compiler wrapper and starter on this machine.
 *
 * @param mpicc absolute
 * @param mpirun absolute
 * @param version such as {@code 4.1.4}
 */
record OpenMpiTools(Path mpicc, Path mpirun, String version) {

    private static final int MAJOR = 4;
    private static final Pattern VERSION = Pattern.compile("\\(Open MPI\\) (([0-9]+)\\.\\S+)");
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /**
     * Looks along {@code PATH}.
     *
     * @throws PeerException saying what is missing and how to get it
     */
    static OpenMpiTools find(Map<String, String> environment) {
        Path mpicc = tool("mpicc", "libopenmpi-dev", environment);
        Path mpirun = tool("mpirun", "openmpi-bin", environment);
        ShortCommand answer = ShortCommand.run(List.of(mpirun.toString(), "--version"), environment, LIMIT);
        Matcher version = VERSION.matcher(answer.output());
        if (!version.find() || Integer.parseInt(version.group(2)) != MAJOR) {
            throw new PeerException("Open MPI " + MAJOR + " is needed, but " + mpirun + " --version says \""
                    + answer.firstLine() + "\"");
        }
        return new OpenMpiTools(mpicc, mpirun, version.group(1));
    }

    private static Path tool(String name, String debianPackage, Map<String, String> environment) {
        return Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(folder -> in(folder, name).stream())
                .findFirst()
                .orElseThrow(() ->
                        new PeerException(name + " is not on the PATH; on Debian: apt-get install " + debianPackage));
    }

    private static Optional<Path> in(String folder, String name) {
        try {
            Path file = Path.of(folder, name);
            return !folder.isEmpty() && Files.isRegularFile(file) && Files.isExecutable(file)
                    ? Optional.of(file.toAbsolutePath())
                    : Optional.empty();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
