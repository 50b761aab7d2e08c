package io.tutti.launcher.spi;

import java.util.List;
import java.util.concurrent.Callable;

/** Found by {@link java.util.ServiceLoader}; adds commands. */
public interface CommandProvider {

    /**
     * Fresh commands.
     *
     * @return objects with picocli's annotations, whose {@code call} answers the exit status; a {@link
     *     io.tutti.gpu.TuttiException} that it throws is reported like every other command's
     */
    List<Callable<Integer>> commands(CommandContext context);
}
