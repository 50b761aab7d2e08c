package io.tutti.actors.protocol;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Immutable copies that iterate in the order of ranks. The order of {@code Map.copyOf} differs between two runs of one
 * JVM, and commands made in that order would not replay.
 */
public final class Sorted {

    private Sorted() {}

    public static <V> SortedMap<Integer, V> copy(Map<Integer, ? extends V> map) {
        return Collections.unmodifiableSortedMap(new TreeMap<>(map));
    }

    public static <V> SortedMap<Integer, V> with(Map<Integer, ? extends V> map, int rank, V value) {
        TreeMap<Integer, V> copy = new TreeMap<>(map);
        copy.put(rank, value);
        return Collections.unmodifiableSortedMap(copy);
    }

    public static <V> SortedMap<Integer, V> without(Map<Integer, ? extends V> map, int rank) {
        TreeMap<Integer, V> copy = new TreeMap<>(map);
        copy.remove(rank);
        return Collections.unmodifiableSortedMap(copy);
    }

    public static SortedSet<Integer> copy(Collection<Integer> ranks) {
        return Collections.unmodifiableSortedSet(new TreeSet<>(ranks));
    }

    public static SortedSet<Integer> with(Collection<Integer> ranks, int rank) {
        TreeSet<Integer> copy = new TreeSet<>(ranks);
        copy.add(rank);
        return Collections.unmodifiableSortedSet(copy);
    }
}
