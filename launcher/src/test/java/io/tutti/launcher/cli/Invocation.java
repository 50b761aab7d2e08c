package io.tutti.launcher.cli;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tutti.launcher.run.FakeRuntime;
import io.tutti.launcher.run.RunRuntime;
import io.tutti.launcher.run.TuttiRuntime;
import io.tutti.launcher.run.Waits;
import io.tutti.launcher.spi.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/**
 * One run of the command line inside the test, with everything it wrote.
 *
 * @param status the exit status
 * @param out what went to stdout
 * @param err what went to stderr
 * @param runtimes the fake runtimes that it started
 */
record Invocation(int status, String out, String err, FakeRuntime.Starter runtimes) {

    static Invocation of(String... arguments) {
        return with(FakeRuntime.Faults.NONE, arguments);
    }

    static Invocation with(FakeRuntime.Faults faults, String... arguments) {
        FakeRuntime.Starter starter = new FakeRuntime.Starter(faults);
        return run(starter, starter, arguments);
    }

    /** The same with real ranks. */
    static Invocation real(String... arguments) {
        return run(TuttiRuntime::start, new FakeRuntime.Starter(FakeRuntime.Faults.NONE), arguments);
    }

    private static Invocation run(RunRuntime.Starter starter, FakeRuntime.Starter fakes, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Console console = new Console(new PrintWriter(out), new PrintWriter(err), false, Map.of());
        int status = new CommandLineProgram(console, starter, new Waits()).run(arguments);
        return new Invocation(status, out.toString(), err.toString(), fakes);
    }

    /** stdout, which must be exactly one JSON object. */
    JsonNode json() {
        try {
            ObjectMapper mapper = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
            return mapper.readTree(out);
        } catch (IOException e) {
            throw new AssertionError("stdout is not one JSON object: " + out, e);
        }
    }
}
