package io.tutti.gpu.driver;

import java.util.Map;
import java.util.TreeMap;

/**
 * Objects that a driver handed out and did not get back, by kind (for example {@code memory}, {@code mapping},
 * {@code stream}).
 */
public record LiveObjects(Map<String, Long> byKind) {

    public LiveObjects {
        byKind = Map.copyOf(byKind);
    }

    public long total() {
        return byKind.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public String toString() {
        return new TreeMap<>(byKind).toString();
    }
}
