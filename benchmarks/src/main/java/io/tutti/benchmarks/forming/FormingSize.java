package io.tutti.benchmarks.forming;

import io.tutti.config.CommunicatorSettings;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is formed at once in one cluster.
 *
 * @param communicators how many
 * @param ranks of each
 */
public record FormingSize(int communicators, int ranks) {

    /** Communicators that one process can be asked for. */
    public static final int MOST_COMMUNICATORS = 72;

    private static final Pattern TEXT = Pattern.compile("(?:(\\d{1,9})x)?(\\d{1,9})");

    /** {@code 72} is one communicator of 72 ranks, {@code 36x8} are 36 of eight; empty for anything else. */
    public static Optional<FormingSize> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int communicators = matcher.group(1) == null ? 1 : Integer.parseInt(matcher.group(1));
        int ranks = Integer.parseInt(matcher.group(2));
        boolean allowed = communicators >= 1
                && communicators <= MOST_COMMUNICATORS
                && ranks >= 1
                && ranks <= CommunicatorSettings.MAX_WORLD_SIZE;
        return allowed ? Optional.of(new FormingSize(communicators, ranks)) : Optional.empty();
    }

    /** Ranks of all communicators. */
    public int allRanks() {
        return communicators * ranks;
    }

    /** As it is written. */
    public String describe() {
        return (communicators == 1 ? "" : communicators + "x") + ranks;
    }
}
