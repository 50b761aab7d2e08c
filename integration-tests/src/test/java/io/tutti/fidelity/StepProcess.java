package io.tutti.fidelity;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.driver.DriverException;
import java.util.Arrays;
import java.util.List;

/**
 * The process in which steps run on a real device, so that one that a step brings down costs that step alone. It says
 * what it is about to do before it does it.
 */
final class StepProcess {

    static final String START = "start ";
    static final String ROW = "row ";
    static final String LEFT = "left ";

    private static final ObjectMapper JSON = new ObjectMapper();

    private StepProcess() {}

    /**
     * Arguments: the driver, the topology, and the ids of the steps. Ends early, without an error, once a step has lost
     * the context.
     */
    public static void main(String[] arguments) {
        Subject subject = Subjects.open(arguments[0], arguments[1]);
        List<String> ids = Arrays.asList(arguments).subList(2, arguments.length);
        Driver driver = subject.driver();
        // Held for all steps: making a context for each would take most of the time.
        CuContext held = driver.primaryCtxRetain(0);
        for (String id : ids) {
            Step step = ProbeScript.step(id);
            say(START + id);
            String left = StepRun.run(step, subject, answer -> say(ROW + json(Row.of(step, answer))));
            if (!left.isEmpty()) {
                say(LEFT + id + " " + left);
            }
            if (isLost(driver, held)) {
                break;
            }
        }
        // Not by returning: what a step has spoilt may keep the process from ending.
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static boolean isLost(Driver driver, CuContext held) {
        try {
            driver.ctxSetCurrent(held);
            driver.memFree(driver.memAlloc(8));
            return false;
        } catch (DriverException e) {
            return true;
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static String json(Row row) {
        try {
            return JSON.writeValueAsString(row);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a row of text cannot be written: step=" + row.step(), e);
        }
    }
}
