package io.tutti.launcher.spi;

import java.util.concurrent.Callable;

/** Found by {@link java.util.ServiceLoader}; adds one command. */
public interface CommandProvider {

    /**
     * A fresh command.
     *
     * @return an object with picocli's annotations, whose {@code call} answers the exit status; a {@link
     *     io.tutti.gpu.TuttiException} that it throws is reported like every other command's
     */
    Callable<Integer> command(CommandContext context);
}
