package io.tutti.benchmarks.cli;

import io.tutti.launcher.spi.CommandContext;
import io.tutti.launcher.spi.CommandProvider;
import java.util.concurrent.Callable;

/** Adds {@code bench} to the command line. */
public final class BenchCommandProvider implements CommandProvider {

    @Override
    public Callable<Integer> command(CommandContext context) {
        return new BenchCommand(context);
    }
}
