package io.tutti.benchmarks.peer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The peer's executable, compiled once and kept. It lies in {@code tutti/peers} of the user's cache folder ({@code
 * XDG_CACHE_HOME}, else {@code ~/.cache}) under a name that follows from everything that went into it, the processor
 * included, since it is compiled for this very machine. A build that is cut off leaves nothing that looks finished.
 */
final class OpenMpiProgram {

    private static final String SOURCE = "openmpi_norm.c";
    private static final String NAME = "openmpi_norm";
    private static final int KEY_DIGITS = 24;
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private final OpenMpiTools tools;
    private final Map<String, String> environment;

    OpenMpiProgram(OpenMpiTools tools, Map<String, String> environment) {
        this.tools = tools;
        this.environment = environment;
    }

    /**
     * The executable, built when it is not there yet.
     *
     * @throws PeerException when it cannot be built
     */
    Path executable() {
        byte[] source = source();
        try {
            Path folder = PrivateFolder.make(cache());
            Path executable = folder.resolve(NAME + "-" + key(source));
            if (!Files.isExecutable(executable)) {
                build(source, folder, executable);
            }
            return executable;
        } catch (IOException e) {
            throw new PeerException("its program could not be kept in " + cache() + ": " + e
                    + "; set XDG_CACHE_HOME to a folder that can be written");
        }
    }

    private void build(byte[] source, Path folder, Path executable) throws IOException {
        Path workshop = PrivateFolder.makeNew(folder, ".build-");
        try {
            Path file = Files.write(workshop.resolve(SOURCE), source);
            Path fresh = workshop.resolve(NAME);
            List<String> command = new ArrayList<>(List.of(tools.mpicc().toString()));
            command.addAll(flags());
            command.addAll(List.of("-o", fresh.toString(), file.toString(), "-lm"));
            ShortCommand compiler = ShortCommand.run(command, environment, LIMIT);
            if (compiler.status() != 0 || !Files.isExecutable(fresh)) {
                throw new PeerException(
                        "mpicc could not compile it, status=" + compiler.status() + ": " + compiler.firstLine());
            }
            Files.move(fresh, executable, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            PrivateFolder.deleteQuietly(workshop);
        }
    }

    private static List<String> flags() {
        List<String> flags = new ArrayList<>(List.of("-std=c11", "-O3", "-march=native", "-ffast-math"));
        if (System.getProperty("os.arch").equals("amd64")) {
            // GCC takes half of what AVX-512 has unless told; a row of 4,096 is a sixth faster with all of it.
            flags.add("-mprefer-vector-width=512");
        }
        return flags;
    }

    private String key(byte[] source) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(source);
            String rest =
                    String.join("\n", flags()) + "\n" + tools.mpicc() + "\n" + tools.version() + "\n" + processor();
            digest.update(rest.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest()).substring(0, KEY_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** What this machine's processor can do. */
    private static String processor() {
        try (Stream<String> lines = Files.lines(PROCESSORS, StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.matches("(model name|flags|Features|CPU part)\\s*:.*"))
                    .distinct()
                    .collect(Collectors.joining("\n"));
        } catch (IOException | UncheckedIOException e) {
            return System.getProperty("os.arch");
        }
    }

    private Path cache() {
        String folder = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path base = Path.of(folder).isAbsolute()
                ? Path.of(folder)
                : Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".cache");
        return base.resolve("tutti").resolve("peers");
    }

    private static byte[] source() {
        try (InputStream in = OpenMpiProgram.class.getResourceAsStream(SOURCE)) {
            if (in == null) {
                throw new PeerException("its source is missing from this build");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new PeerException("its source could not be read: " + e.getMessage());
        }
    }
}
