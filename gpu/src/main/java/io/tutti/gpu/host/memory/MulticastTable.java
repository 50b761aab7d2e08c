package io.tutti.gpu.host.memory;

import io.tutti.gpu.host.execution.MemoryWindow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The state of a multicast object in a small piece of shared memory, so that every process that holds the object sees the
 * same: who belongs to the team, and what each member has bound. No lock is held across processes, since one that dies
 * would never give it back; entries are claimed by compare-and-set and counted by a generation.
 */
public final class MulticastTable {

    /** Bytes of the shared memory. */
    public static final long BYTES = 64 << 10;

    /** The largest team. */
    public static final int MOST_DEVICES = 72;

    /** Bytes of the handle by which another process finds what is bound. */
    public static final int HANDLE_BYTES = 64;

    private static final int MAGIC = 0x544d4354;
    private static final int MAGIC_AT = 0;
    private static final int DEVICES_AT = 4;
    private static final int BYTES_AT = 8;
    private static final int SLOT_AT = 16;
    private static final int GENERATION_AT = 20;
    private static final int MEMBERS_AT = 64;
    private static final int BINDINGS_AT = 1024;
    private static final int BINDING_BYTES = 128;
    private static final int BINDINGS = (int) ((BYTES - BINDINGS_AT) / BINDING_BYTES);

    private static final int FREE = 0;
    private static final int IN_WORK = 1;
    private static final int BOUND = 2;

    /** What became of a device that was to join. */
    public enum Joining {
        JOINED,
        /** It belongs to the team already. */
        TWICE,
        /** The team has as many devices as it was made for. */
        FULL
    }

    /** One device of the topology. */
    public record Member(int host, int device) {

        private static Member of(long key) {
            return new Member((int) (key >>> Integer.SIZE) - 1, (int) key);
        }

        /** Never 0. */
        private long key() {
            return (host + 1L) << Integer.SIZE | device;
        }
    }

    /**
     * Memory of a member.
     *
     * @param entry where it stands in the table
     * @param member whose it is
     * @param offset where in the object it begins
     * @param memoryOffset where in the memory
     * @param bytes how much is bound
     * @param handle finds the memory in another process
     */
    record Binding(int entry, Member member, long offset, long memoryOffset, long bytes, byte[] handle) {

        boolean overlaps(Binding other) {
            return member.equals(other.member) && offset < other.offset + other.bytes && other.offset < offset + bytes;
        }

        /** Whether it is the same one, seen at another time. */
        boolean isThatOf(Binding other) {
            return entry == other.entry
                    && member.equals(other.member)
                    && offset == other.offset
                    && memoryOffset == other.memoryOffset
                    && bytes == other.bytes
                    && Arrays.equals(handle, other.handle);
        }

        boolean covers(long from, long length) {
            return from >= offset && from + length <= offset + bytes;
        }
    }

    private final ByteBuffer words;

    private MulticastTable(PhysicalMemory memory) {
        this.words = memory.window(0).bytes();
    }

    /** Lays an empty table into zeroed memory of {@link #BYTES}. */
    static MulticastTable create(PhysicalMemory memory, int devices, long bytes) {
        MulticastTable table = new MulticastTable(memory);
        table.words.putInt(DEVICES_AT, devices).putLong(BYTES_AT, bytes);
        MemoryWindow.INT.setRelease(table.words, MAGIC_AT, MAGIC);
        return table;
    }

    /** The table that another process made; false for {@link #isValid} when there is none. */
    static MulticastTable attach(PhysicalMemory memory) {
        return new MulticastTable(memory);
    }

    boolean isValid() {
        return (int) MemoryWindow.INT.getAcquire(words, MAGIC_AT) == MAGIC;
    }

    long objectBytes() {
        return words.getLong(BYTES_AT);
    }

    int devices() {
        return words.getInt(DEVICES_AT);
    }

    /** Changes with every binding that comes or goes. */
    int generation() {
        return (int) MemoryWindow.INT.getAcquire(words, GENERATION_AT);
    }

    boolean hasSlot() {
        return (int) MemoryWindow.INT.getAcquire(words, SLOT_AT) != 0;
    }

    /** False when another process was faster. */
    boolean claimSlot() {
        return MemoryWindow.INT.compareAndSet(words, SLOT_AT, 0, 1);
    }

    // ---- the team ---------------------------------------------------------------------------------------------

    Joining join(Member member) {
        for (int place = 0; place < devices(); place++) {
            int at = MEMBERS_AT + place * Long.BYTES;
            long there = (long) MemoryWindow.LONG.compareAndExchange(words, at, 0L, member.key());
            if (there == 0) {
                return Joining.JOINED;
            }
            if (there == member.key()) {
                return Joining.TWICE;
            }
        }
        return Joining.FULL;
    }

    List<Member> members() {
        List<Member> members = new ArrayList<>();
        for (int place = 0; place < devices(); place++) {
            long key = (long) MemoryWindow.LONG.getAcquire(words, MEMBERS_AT + place * Long.BYTES);
            if (key != 0) {
                members.add(Member.of(key));
            }
        }
        return members;
    }

    // ---- bindings ---------------------------------------------------------------------------------------------

    /** Lists a binding, whose entry is chosen here; −1 when the table has no room for one more. */
    int bind(Binding binding) {
        for (int entry = 0; entry < BINDINGS; entry++) {
            int at = at(entry);
            if (MemoryWindow.INT.compareAndSet(words, at, FREE, IN_WORK)) {
                words.putLong(at + 8, binding.member.key())
                        .putLong(at + 16, binding.offset)
                        .putLong(at + 24, binding.memoryOffset)
                        .putLong(at + 32, binding.bytes)
                        .put(at + 40, binding.handle, 0, HANDLE_BYTES);
                MemoryWindow.INT.setRelease(words, at, BOUND);
                changed();
                return entry;
            }
        }
        return -1;
    }

    void unbind(int entry) {
        MemoryWindow.INT.setRelease(words, at(entry), FREE);
        changed();
    }

    private void changed() {
        MemoryWindow.INT.getAndAdd(words, GENERATION_AT, 1);
    }

    List<Binding> bindings() {
        List<Binding> bindings = new ArrayList<>();
        for (int entry = 0; entry < BINDINGS; entry++) {
            int at = at(entry);
            if ((int) MemoryWindow.INT.getAcquire(words, at) == BOUND) {
                byte[] handle = new byte[HANDLE_BYTES];
                words.get(at + 40, handle);
                bindings.add(new Binding(
                        entry,
                        Member.of(words.getLong(at + 8)),
                        words.getLong(at + 16),
                        words.getLong(at + 24),
                        words.getLong(at + 32),
                        handle));
            }
        }
        return bindings;
    }

    private static int at(int entry) {
        return BINDINGS_AT + entry * BINDING_BYTES;
    }
}
