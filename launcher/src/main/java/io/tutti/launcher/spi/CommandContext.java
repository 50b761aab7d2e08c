package io.tutti.launcher.spi;

import io.tutti.launcher.processes.RankProcessSupport;
import io.tutti.launcher.run.RunRuntime;
import io.tutti.launcher.run.Waits;

/**
 * What a command works with.
 *
 * @param console where it writes
 * @param starter starts the runtime
 * @param waits ends its waits when the process is asked to stop
 * @param support for work in several processes
 */
public record CommandContext(Console console, RunRuntime.Starter starter, Waits waits, RankProcessSupport support) {}
