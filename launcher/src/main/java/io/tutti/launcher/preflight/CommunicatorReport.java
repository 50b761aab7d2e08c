package io.tutti.launcher.preflight;

import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.plan.RejectedPath;
import io.tutti.launcher.run.RunResult;
import java.util.List;
import java.util.Optional;

/**
 * What a preflight found out about one communicator: either it formed or there is an error.
 *
 * @param facts of the ranks that told theirs, in rank order
 */
public record CommunicatorReport(
        String name, Optional<Formed> formed, Optional<ErrorInfo> error, List<RankFacts> facts) {

    public CommunicatorReport {
        facts = List.copyOf(facts);
    }

    /** Every better path and every handle kind that was not used, with its reason; empty without a formed epoch. */
    public List<RejectedPath> rejected() {
        return formed.map(Formed::rejected).orElse(List.of());
    }

    /** Whether something that the facts promised was refused when it was tried. */
    public boolean promiseRefused() {
        return RunResult.promiseRefused(rejected());
    }

    /** Hosts of the ranks. */
    public long hosts() {
        return facts.stream().map(RankFacts::hostId).distinct().count();
    }

    /** Processes of the ranks. */
    public long processes() {
        return facts.stream().map(RankFacts::processId).distinct().count();
    }
}
