package io.tutti.gpu.memory;

import io.tutti.gpu.driver.ShareableType;
import java.util.Optional;

/** What a workspace's memory must be so that a handle kind, or several at once, can carry it to peers. */
public sealed interface MemoryNeed {

    /** Plain memory ({@code cuMemAlloc}), which virtual-memory exports do not know. */
    record Plain() implements MemoryNeed {}

    /**
     * Virtual memory ({@code cuMemCreate}) that can be exported so.
     *
     * @param shareable never {@link ShareableType#NONE}
     */
    record Virtual(ShareableType shareable) implements MemoryNeed {}

    /** Either serves. */
    record Any() implements MemoryNeed {}

    /** What serves this need and another; empty where no memory does. */
    default Optional<MemoryNeed> and(MemoryNeed other) {
        if (this instanceof Any || equals(other)) {
            return Optional.of(other);
        }
        if (other instanceof Any) {
            return Optional.of(this);
        }
        return this instanceof Virtual one && other instanceof Virtual two
                ? Optional.of(new Virtual(one.shareable.and(two.shareable)))
                : Optional.empty();
    }
}
