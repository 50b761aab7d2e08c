package io.tutti.launcher.spi;

import java.io.PrintWriter;
import java.util.Map;

/**
 * Where a command writes and what it may ask its surroundings; a test brings its own.
 *
 * @param out for the command's result alone
 * @param err for everything else
 * @param terminal whether a person watches {@code err}, so that a line may be overwritten
 * @param environment the environment's variables
 */
public record Console(PrintWriter out, PrintWriter err, boolean terminal, Map<String, String> environment) {

    public Console {
        environment = Map.copyOf(environment);
    }
}
