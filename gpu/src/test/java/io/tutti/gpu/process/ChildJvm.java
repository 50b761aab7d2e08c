package io.tutti.gpu.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Another JVM with the tests' class path that takes one command per line and answers in lines. It ends when its input does,
 * so it never outlives this one.
 */
public final class ChildJvm implements AutoCloseable {

    private final Process process;
    private final PrintWriter commands;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    public ChildJvm(Class<?> main, String... arguments) throws IOException {
        this(List.of(), System.getProperty("java.class.path"), main, arguments);
    }

    /** @param prefix a command that starts another one, for example as another user */
    ChildJvm(List<String> prefix, String classPath, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                main.getName()));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        commands = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "child-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("cannot be read: " + e);
        }
        lines.add("ended");
    }

    long pid() {
        return process.pid();
    }

    public void send(String command) {
        commands.println(command);
    }

    /** The rest of the next line that starts with {@code word}; other lines are passed over. */
    public String expect(String word) throws InterruptedException {
        return await(word, line -> line.startsWith(word))
                .substring(word.length())
                .trim();
    }

    /** The next line that contains {@code text}; other lines are passed over. */
    String expectContaining(String text) throws InterruptedException {
        return await(text, line -> line.contains(text));
    }

    private String await(String what, Predicate<String> wanted) throws InterruptedException {
        List<String> seen = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            String line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line != null && wanted.test(line)) {
                return line;
            }
            seen.add(String.valueOf(line));
            if (line == null || line.equals("ended")) {
                throw new AssertionError("child " + pid() + " did not say '" + what + "' but " + seen);
            }
        }
    }

    boolean hasSaidNothing() {
        return lines.isEmpty();
    }

    /** SIGKILL. */
    public void kill() {
        process.destroyForcibly();
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor(5, TimeUnit.SECONDS);
    }

    public void awaitEnd() throws InterruptedException {
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            throw new AssertionError("child " + pid() + " did not end");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        commands.close();
    }
}
