package io.tutti.config;

import java.util.Objects;

/**
 * One setting from the command line or from code; it wins over all files.
 *
 * @param key the full key; {@code *} as the name of a communicator means each of them, as in
 *     {@code tutti.communicators.*.world-size}
 * @param value a string, number, boolean, or a list of these
 * @param origin where it comes from, for messages, such as {@code option --ranks}
 */
public record ConfigOverride(String key, Object value, String origin) {

    public ConfigOverride {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(origin, "origin");
    }
}
