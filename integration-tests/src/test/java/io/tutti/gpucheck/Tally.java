package io.tutti.gpucheck;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Counts tests by class. */
final class Tally implements TestExecutionListener {

    private static final class Row {
        int passed;
        int failed;
        int skipped;
        long nanos;
    }

    private final PrintStream out;
    private final Map<String, Row> rows = new TreeMap<>();
    private final Map<String, Long> started = new TreeMap<>();

    Tally(PrintStream out) {
        this.out = out;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        started.put(test.getUniqueId(), System.nanoTime());
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        row(test).skipped++;
        out.println("SKIPPED " + name(test) + ": " + reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (!test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
            return;
        }
        Row row = row(test);
        row.nanos += System.nanoTime() - started.getOrDefault(test.getUniqueId(), System.nanoTime());
        switch (result.getStatus()) {
            case SUCCESSFUL -> row.passed++;
            case ABORTED -> {
                row.skipped++;
                out.println("SKIPPED " + name(test) + ": "
                        + result.getThrowable().map(Throwable::getMessage).orElse("aborted"));
            }
            case FAILED -> {
                row.failed++;
                out.println("FAILED " + name(test));
                result.getThrowable().ifPresent(cause -> cause.printStackTrace(out));
            }
        }
    }

    void print() {
        out.printf(Locale.ROOT, "%n%-50s %7s %7s %7s %8s%n", "class", "passed", "failed", "skipped", "seconds");
        rows.forEach((name, row) -> line(name, row));
        Row all = new Row();
        rows.values().forEach(row -> {
            all.passed += row.passed;
            all.failed += row.failed;
            all.skipped += row.skipped;
            all.nanos += row.nanos;
        });
        line("all", all);
    }

    private void line(String name, Row row) {
        out.printf(
                Locale.ROOT, "%-50s %7d %7d %7d %8.1f%n", name, row.passed, row.failed, row.skipped, row.nanos / 1e9);
    }

    int status() {
        int failed = rows.values().stream().mapToInt(row -> row.failed).sum();
        int skipped = rows.values().stream().mapToInt(row -> row.skipped).sum();
        int passed = rows.values().stream().mapToInt(row -> row.passed).sum();
        return failed > 0 || passed == 0 ? 1 : skipped > 0 ? 3 : 0;
    }

    private Row row(TestIdentifier test) {
        return rows.computeIfAbsent(className(test), name -> new Row());
    }

    private static String name(TestIdentifier test) {
        return className(test) + " " + test.getSource().map(Tally::method).orElse("") + " " + test.getDisplayName();
    }

    private static String method(Object source) {
        return source instanceof MethodSource method ? method.getMethodName() : "";
    }

    private static String className(TestIdentifier test) {
        return test.getSource()
                .map(source -> {
                    if (source instanceof MethodSource method) {
                        return method.getClassName();
                    }
                    return source instanceof ClassSource type ? type.getClassName() : "other";
                })
                .orElse("other");
    }
}
