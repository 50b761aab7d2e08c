package io.tutti.gpu.host;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Opaque handles and the objects behind them. Lookups take no lock and leave no garbage, since each launch makes some; a
 * handle is never used twice, so a stale one is found out.
 */
final class HandleTable<T> {

    private static final int INDEX_BITS = 24;
    private static final int FIRST_SIZE = 64;

    private record Slot<T>(long handle, T value) {}

    private volatile AtomicReferenceArray<@Nullable Slot<T>> slots = new AtomicReferenceArray<>(FIRST_SIZE);
    private final List<Integer> free = new ArrayList<>();
    private int used;
    private long generation;

    synchronized long add(T value) {
        int index = free.isEmpty() ? used++ : free.remove(free.size() - 1);
        if (index == slots.length()) {
            AtomicReferenceArray<@Nullable Slot<T>> larger = new AtomicReferenceArray<>(index * 2);
            for (int i = 0; i < index; i++) {
                larger.set(i, slots.get(i));
            }
            slots = larger;
        }
        long handle = (++generation << INDEX_BITS) | index;
        slots.set(index, new Slot<>(handle, value));
        return handle;
    }

    /** The object, or null for a handle that is not live. */
    @Nullable
    T get(long handle) {
        AtomicReferenceArray<@Nullable Slot<T>> now = slots;
        int index = (int) (handle & ((1 << INDEX_BITS) - 1));
        Slot<T> slot = index < now.length() ? now.get(index) : null;
        return slot != null && slot.handle == handle ? slot.value : null;
    }

    /** Takes the object out; null for a handle that is not live. */
    synchronized @Nullable T remove(long handle) {
        T value = get(handle);
        if (value != null) {
            int index = (int) (handle & ((1 << INDEX_BITS) - 1));
            slots.set(index, null);
            free.add(index);
        }
        return value;
    }

    /** Takes all objects out. */
    synchronized List<T> drain() {
        List<T> all = new ArrayList<>();
        for (int index = 0; index < used; index++) {
            Slot<T> slot = slots.getAndSet(index, null);
            if (slot != null) {
                all.add(slot.value);
                free.add(index);
            }
        }
        return all;
    }

    /** The sum of a figure over all objects. */
    synchronized long sum(ToLongFunction<T> figure) {
        long sum = 0;
        for (int index = 0; index < used; index++) {
            Slot<T> slot = slots.get(index);
            sum += slot == null ? 0 : figure.applyAsLong(slot.value);
        }
        return sum;
    }

    synchronized long size() {
        return (long) used - free.size();
    }
}
