package io.tutti.config;

import java.util.Objects;

/**
 * One mistake in a configuration, for the person who wrote it.
 *
 * @param where the place it was written, such as {@code /etc/tutti.conf:12} or {@code option --ranks}
 * @param key the full key, such as {@code tutti.cluster.port}; empty where the mistake concerns a whole file
 * @param found what is wrong, as the end of a sentence that begins with the key
 * @param allowed what is allowed there, or what to do
 */
public record ConfigMistake(String where, String key, String found, String allowed) {

    public ConfigMistake {
        Objects.requireNonNull(where, "where");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(found, "found");
        Objects.requireNonNull(allowed, "allowed");
    }

    /** One line: place, key, mistake, remedy. */
    public String describe() {
        return problem() + "; " + allowed;
    }

    String problem() {
        return where + ": " + (key.isEmpty() ? found : key + " " + found);
    }
}
