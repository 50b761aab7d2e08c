package io.tutti.fidelity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the script and makes a recording: {@code gpu-check --fidelity TOPOLOGY FILE [host]}. Steps run in processes of
 * their own; a step that brings its process down is recorded so, and the next step goes on in a new one.
 */
public final class Recorder {

    private static final int SECONDS_FOR_A_STEP = 60;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String driver;
    private final String topology;
    private final Map<String, Row> rows = new LinkedHashMap<>();

    Recorder(String driver, String topology) {
        this.driver = driver;
        this.topology = topology;
    }

    /** Arguments: the name of the topology that is to answer the same, the file to write, and the driver if not cuda. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length < 2 || arguments.length > 3) {
            System.err.println("usage: gpu-check --fidelity TOPOLOGY FILE [host]");
            System.exit(2);
        }
        Recorder recorder = new Recorder(arguments.length == 3 ? arguments[2] : Subjects.CUDA, arguments[0]);
        Recording recording = recorder.record();
        Files.writeString(Path.of(arguments[1]), recording.toJson());
        System.out.printf(
                Locale.ROOT,
                "%d steps on %s, %d device(s), driver %d: %s%n",
                recording.rows().size(),
                recording.device(),
                recording.devices(),
                recording.driverVersion(),
                arguments[1]);
    }

    private Recording record() throws InterruptedException {
        try (Subject subject = Subjects.open(driver, topology)) {
            int devices = subject.driver().deviceCount();
            return new Recording(
                    topology,
                    true,
                    "the probe script",
                    subject.driver().deviceIdentity(0).name(),
                    devices,
                    subject.driver().driverVersion(),
                    LocalDate.now(ZoneOffset.UTC).toString(),
                    run(ProbeScript.steps(devices)));
        }
    }

    /** The steps' rows, in their order. */
    List<Row> run(List<Step> steps) throws InterruptedException {
        batch(steps.stream().filter(step -> !step.dangerous()).toList());
        for (Step step : steps) {
            if (step.dangerous()) {
                batch(List.of(step));
            }
        }
        List<Row> inOrder = new ArrayList<>();
        for (Step step : steps) {
            Row row = rows.get(step.id());
            if (row != null) {
                inOrder.add(row);
            }
        }
        return inOrder;
    }

    /** Runs steps in one process as long as it lives, and the rest in the next. */
    private void batch(List<Step> steps) throws InterruptedException {
        List<Step> left = new ArrayList<>(steps);
        while (!left.isEmpty()) {
            int before = rows.size();
            try (ChildJvm process = ChildJvm.start(StepProcess.class, arguments(left))) {
                follow(process);
            }
            if (rows.size() == before) {
                put(left.get(0), Answer.CRASHED);
            }
            left.removeIf(step -> rows.containsKey(step.id()));
        }
    }

    private List<String> arguments(List<Step> steps) {
        return Stream.concat(Stream.of(driver, topology), steps.stream().map(Step::id))
                .toList();
    }

    /** Reads what the process says until it ends; a step that it began and did not finish brought it down. */
    private void follow(ChildJvm process) throws InterruptedException {
        Step running = null;
        try {
            for (String line = process.line(SECONDS_FOR_A_STEP);
                    line != null;
                    line = process.line(SECONDS_FOR_A_STEP)) {
                running = take(line, running);
            }
            if (running != null) {
                put(running, Answer.CRASHED);
            }
        } catch (ChildJvm.LateException e) {
            if (running != null) {
                put(running, Answer.HUNG);
            }
        }
    }

    /** The step that runs after this line. */
    private @Nullable Step take(String line, @Nullable Step running) {
        if (line.startsWith(StepProcess.START)) {
            return ProbeScript.step(line.substring(StepProcess.START.length()));
        }
        if (line.startsWith(StepProcess.ROW)) {
            put(row(line.substring(StepProcess.ROW.length())));
            return null;
        }
        System.out.println(line);
        return running;
    }

    private static Row row(String json) {
        try {
            return JSON.readValue(json, Row.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("not a row: " + json, e);
        }
    }

    private void put(Step step, Answer answer) {
        put(Row.of(step, answer));
    }

    private void put(Row row) {
        rows.put(row.step(), row);
        System.out.printf(
                Locale.ROOT, "%-36s %-34s %-70s %s%n", row.step(), row.call(), row.arguments(), row.asAnswer());
    }
}
