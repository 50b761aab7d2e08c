package io.tutti.config;

import java.util.Collection;
import java.util.Optional;

/** Finds the name that somebody probably meant: a key, a profile, a command or an option. */
public final class NearestName {

    private NearestName() {}

    /** The closest of the names, if it is close enough to be a slip of the fingers; the first of equally close ones. */
    public static Optional<String> among(Collection<String> names, String written) {
        int limit = Math.max(1, written.length() / 3);
        String best = null;
        for (String name : names) {
            int distance = distance(name, written);
            if (distance <= limit) {
                limit = distance - 1;
                best = name;
            }
        }
        return Optional.ofNullable(best);
    }

    /** What a mistake's advice begins with, or nothing where no name is close. */
    static String hint(Collection<String> names, String written) {
        return among(names, written)
                .map(meant -> "did you mean " + meant + "? ")
                .orElse("");
    }

    /** Single-character insertions, deletions, replacements and swaps of neighbours that turn one into the other. */
    static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replace = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                cost[i][j] = Math.min(replace, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
