package io.tutti.benchmarks.cli;

import io.tutti.launcher.spi.CommandContext;
import io.tutti.launcher.spi.CommandProvider;
import java.util.List;
import java.util.concurrent.Callable;

/** Adds {@code bench} and {@code bench-forming} to the command line, and the hidden command of rank processes. */
public final class BenchCommandProvider implements CommandProvider {

    @Override
    public List<Callable<Integer>> commands(CommandContext context) {
        return List.of(
                new BenchCommand(context), new BenchRankProcessCommand(context), new BenchFormingCommand(context));
    }
}
