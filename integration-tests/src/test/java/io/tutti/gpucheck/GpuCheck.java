package io.tutti.gpucheck;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs all tests tagged {@code gpu} that are on the class path, says what fails as it fails, and prints a short table
 * last. The exit status is 0 when every test passed, 1 when one failed, and 3 when none failed but some were skipped: on
 * a GPU machine a skipped test has proved nothing.
 */
public final class GpuCheck {

    private GpuCheck() {}

    /** Arguments: regular expressions of class names to run; without any, all. */
    public static void main(String[] arguments) {
        String names = arguments.length == 0 ? ".*" : ".*(" + String.join("|", arguments) + ").*";
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(List.of(selectPackage("io.tutti")))
                .filters(
                        TagFilter.includeTags("gpu"),
                        TagFilter.excludeTags("nightly"),
                        ClassNameFilter.includeClassNamePatterns(
                                Pattern.compile(names).pattern()))
                .configurationParameter("junit.jupiter.execution.timeout.default", "5 m")
                .build();
        Launcher launcher = LauncherFactory.create();
        Tally tally = new Tally(System.out);
        launcher.execute(request, tally);
        tally.print();
        System.out.flush();
        // Not by returning: a test that hung may have left a thread.
        Runtime.getRuntime().halt(tally.status());
    }
}
