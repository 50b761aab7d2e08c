package io.tutti.launcher.processes;

import io.tutti.launcher.run.RunRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A run in several processes, decided completely before anything is started.
 *
 * @param request what is run
 * @param worldSizes of the communicators, by name
 * @param ranks for each process, the ranks that it hosts, by communicator
 * @param limits how long the launcher waits for its processes
 */
public record ProcessesPlan(
        RunRequest request, Map<String, Integer> worldSizes, List<Map<String, List<Integer>>> ranks, Limits limits) {

    public ProcessesPlan {
        worldSizes = Map.copyOf(worldSizes);
        ranks = List.copyOf(ranks);
    }

    /**
     * Deals the ranks.
     *
     * @param worldSizes of the communicators, by name
     */
    public static ProcessesPlan of(RunRequest request, Map<String, Integer> worldSizes, int processes, Limits limits) {
        List<Map<String, List<Integer>>> ranks = new ArrayList<>();
        for (int process = 0; process < processes; process++) {
            Map<String, List<Integer>> mine = new LinkedHashMap<>();
            for (String communicator : request.communicators()) {
                mine.put(
                        communicator,
                        RankDealing.deal(worldSizes.getOrDefault(communicator, 0), processes)
                                .get(process));
            }
            ranks.add(mine);
        }
        return new ProcessesPlan(request, worldSizes, ranks, limits);
    }

    int processes() {
        return ranks.size();
    }

    /**
     * How long the launcher waits for a rank process. The processes' own deadlines are shorter and say more.
     *
     * @param startUp from its start until its runtime is started
     * @param silence between two of its messages, while it has something to do
     * @param finish from the end of its work until it has closed everything and ended
     * @param end from being asked to end before that, after which it is killed
     */
    public record Limits(Duration startUp, Duration silence, Duration finish, Duration end) {}
}
