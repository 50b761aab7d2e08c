package io.tutti.fidelity;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A JVM with this one's class path, whose lines are read with a deadline. Closing ends it at once. */
final class ChildJvm implements AutoCloseable {

    private static final String END = "\0";

    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private ChildJvm(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "child-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    static ChildJvm start(Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=/dev/null",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        try {
            return new ChildJvm(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            in.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            lines.add("reading failed: " + e.getMessage());
        } finally {
            lines.add(END);
        }
    }

    /** The next line; null when the process has ended. */
    @Nullable
    String line(long seconds) throws InterruptedException, LateException {
        String line = lines.poll(seconds, TimeUnit.SECONDS);
        if (line == null) {
            throw new LateException("nothing in " + seconds + " s from process " + process.pid());
        }
        return line.equals(END) ? null : line;
    }

    /** The exit status of a process that ends by itself. */
    int status() throws InterruptedException {
        return process.waitFor(10, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The process says nothing in time. */
    static final class LateException extends Exception {
        private static final long serialVersionUID = 1L;

        LateException(String message) {
            super(message);
        }
    }
}
