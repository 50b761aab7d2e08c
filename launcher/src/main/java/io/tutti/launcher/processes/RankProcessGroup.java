package io.tutti.launcher.processes;

import io.tutti.gpu.TuttiException;
import java.time.Duration;
import java.util.List;

/** The rank processes of a job that asks them one thing after another. One thread asks. */
public interface RankProcessGroup {

    /**
     * Puts the same question to all of them at once.
     *
     * @param limit how long one may say nothing until it has answered; coming up has its own
     * @return the answers in the order of the processes
     * @throws TuttiException the failure that explains best why one did not answer
     */
    List<String> ask(String question, Duration limit);
}
