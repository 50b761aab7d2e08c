package io.tutti.gpu.host.memory;

import io.tutti.gpu.host.execution.IllegalAddressException;
import io.tutti.gpu.host.execution.MulticastSpan;
import io.tutti.gpu.host.memory.MulticastTable.Binding;
import io.tutti.gpu.host.memory.MulticastTable.Member;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A multicast object as one process holds it. What all processes must see alike is in its {@link MulticastTable}; what this
 * one has bound, and what it has found of the others' memory, is here. With the last reference go this process's bindings
 * and its slot. Thread-safe.
 */
public final class MulticastObject implements Backing {

    /** Finds what another process, or another driver of this one, has bound. */
    @FunctionalInterface
    public interface Finder {

        /**
         * The memory with one reference for the caller.
         *
         * @throws IOException when its owner is gone
         */
        PhysicalMemory find(byte[] handle) throws IOException;
    }

    /**
     * Who holds the object.
     *
     * @param host the emulated host of the process
     * @param spreads whether a store reaches every member, or, as without a switch, the storing device alone
     * @param finder finds the other members' memory
     */
    public record Holder(int host, boolean spreads, Finder finder) {}

    /** What is bound, as stores meet it: without memory where the owner has gone, and stores vanish. */
    private record Target(Binding binding, @Nullable PhysicalMemory memory) {}

    private record View(int generation, List<Target> targets) {}

    private final Holder holder;
    private final PhysicalMemory tableMemory;
    private final MulticastTable table;
    private final Map<Integer, Target> own = new HashMap<>(); // by entry; guarded by this, as everything below
    private @Nullable Runnable slot;
    private int references = 1;
    private volatile View view = new View(-1, List.of());

    private MulticastObject(Holder holder, PhysicalMemory tableMemory, MulticastTable table) {
        this.holder = holder;
        this.tableMemory = tableMemory;
        this.table = table;
    }

    /**
     * A new object with one reference.
     *
     * @param tableMemory zeroed memory of {@link MulticastTable#BYTES}, whose one reference becomes the object's
     */
    public static MulticastObject create(Holder holder, PhysicalMemory tableMemory, int devices, long bytes) {
        return new MulticastObject(holder, tableMemory, MulticastTable.create(tableMemory, devices, bytes));
    }

    /**
     * Another process's object, with one reference.
     *
     * @param tableMemory the table's memory, whose one reference becomes the object's
     * @throws IOException when there is no table in it; the reference is then given back
     */
    public static MulticastObject attach(Holder holder, PhysicalMemory tableMemory) throws IOException {
        if (tableMemory.bytes() == MulticastTable.BYTES) {
            MulticastTable table = MulticastTable.attach(tableMemory);
            if (table.isValid()) {
                return new MulticastObject(holder, tableMemory, table);
            }
        }
        tableMemory.release();
        throw new IOException("not a multicast object: bytes=" + tableMemory.bytes());
    }

    @Override
    public MemoryOrigin origin() {
        return tableMemory.origin();
    }

    @Override
    public long bytes() {
        return table.objectBytes();
    }

    @Override
    public int descriptor() {
        return tableMemory.descriptor();
    }

    /** The memory that another process maps to share the object. */
    public PhysicalMemory table() {
        return tableMemory;
    }

    /** How many devices the team is to have. */
    public int devices() {
        return table.devices();
    }

    /** The devices that have joined the team. */
    public List<Member> members() {
        return table.members();
    }

    public MulticastTable.Joining join(Member member) {
        return table.join(member);
    }

    // ---- slots ------------------------------------------------------------------------------------------------

    /** Whether some process has taken a slot for the object, which it needs before anything is bound. */
    public boolean hasSlot() {
        return table.hasSlot();
    }

    /**
     * Gives the object a slot, which goes back with this process's last reference; at once, if it has one meanwhile.
     *
     * @param giveBack gives the slot back
     */
    public synchronized void takeSlot(Runnable giveBack) {
        if (table.claimSlot()) {
            slot = giveBack;
        } else {
            giveBack.run();
        }
    }

    // ---- bindings ---------------------------------------------------------------------------------------------

    /**
     * Binds a member's memory, of which a reference is taken.
     *
     * @param handle finds the memory in another process
     * @return false when something is bound there for the member already, or the table is full
     */
    public synchronized boolean bind(
            Member member, long offset, PhysicalMemory memory, long memoryOffset, long bytes, byte[] handle) {
        Binding wanted = new Binding(-1, member, offset, memoryOffset, bytes, handle);
        if (table.bindings().stream().anyMatch(wanted::overlaps)) {
            return false;
        }
        int entry = table.bind(wanted);
        if (entry < 0) {
            return false;
        }
        own.put(entry, new Target(wanted, memory.retain()));
        return true;
    }

    /** False when this process has not bound exactly that. */
    public synchronized boolean unbind(Member member, long offset, long bytes) {
        for (Map.Entry<Integer, Target> one : own.entrySet()) {
            Binding binding = one.getValue().binding;
            if (binding.member().equals(member) && binding.offset() == offset && binding.bytes() == bytes) {
                own.remove(one.getKey());
                drop(one.getKey(), one.getValue());
                return true;
            }
        }
        return false;
    }

    private void drop(int entry, Target target) {
        table.unbind(entry);
        refresh();
        letGo(target);
    }

    private static void letGo(Target target) {
        if (target.memory != null) {
            target.memory.release();
        }
    }

    /** How many pieces of memory this process has bound. */
    public synchronized int boundHere() {
        return own.size();
    }

    // ---- stores -----------------------------------------------------------------------------------------------

    /**
     * Resolves what a device's stores to a range reach. The caller is inside {@link Quiescence} until it has dropped the
     * span.
     *
     * @throws IllegalAddressException when some member has nothing bound there
     */
    void resolve(int device, long offset, long bytes, long address, MulticastSpan into) {
        into.clear();
        Member self = new Member(holder.host, device);
        int found = 0;
        for (Target target : present().targets) {
            Binding binding = target.binding;
            if (!binding.covers(offset, bytes)) {
                continue;
            }
            found++;
            PhysicalMemory memory = target.memory;
            if (memory != null && (holder.spreads || binding.member().equals(self))) {
                long at = binding.memoryOffset() + (offset - binding.offset());
                into.add(memory.window(at), memory.offsetInWindow(at));
            }
        }
        if (found != table.devices()) {
            throw new IllegalAddressException(address, bytes);
        }
    }

    private View present() {
        View last = view;
        return last.generation == table.generation() ? last : refresh();
    }

    /** Looks at the table again: keeps what is still bound, finds what is new, and lets go of the rest. */
    private synchronized View refresh() {
        View last = view;
        int generation = table.generation();
        if (references == 0 || last.generation == generation) {
            return last;
        }
        Set<Target> gone = new HashSet<>(last.targets);
        List<Target> targets = new ArrayList<>();
        for (Binding binding : table.bindings()) {
            Target known = known(last, binding);
            if (known != null) {
                gone.remove(known);
            }
            targets.add(known != null ? known : find(binding));
        }
        // A change meanwhile leaves an older generation behind, so the next store looks again.
        View next = new View(generation, List.copyOf(targets));
        view = next;
        gone.forEach(MulticastObject::letGo);
        return next;
    }

    private static @Nullable Target known(View view, Binding binding) {
        for (Target target : view.targets) {
            if (target.memory != null && target.binding.isThatOf(binding)) {
                return target;
            }
        }
        return null;
    }

    private Target find(Binding binding) {
        Target mine = own.get(binding.entry());
        if (mine != null && mine.memory != null) {
            return new Target(binding, mine.memory.retain());
        }
        try {
            return new Target(binding, holder.finder.find(binding.handle()));
        } catch (IOException e) {
            return new Target(binding, null);
        }
    }

    // ---- life -------------------------------------------------------------------------------------------------

    @Override
    public synchronized MulticastObject retain() {
        if (references == 0) {
            throw new IllegalStateException("the multicast object was already freed: " + origin());
        }
        references++;
        return this;
    }

    @Override
    public synchronized void release() {
        if (--references > 0) {
            return;
        }
        own.forEach((entry, target) -> {
            table.unbind(entry);
            letGo(target);
        });
        own.clear();
        List<Target> seen = view.targets;
        view = new View(-1, List.of());
        seen.forEach(MulticastObject::letGo);
        Runnable taken = slot;
        slot = null;
        if (taken != null) {
            taken.run();
        }
        tableMemory.release();
    }
}
