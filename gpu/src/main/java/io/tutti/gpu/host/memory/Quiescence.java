package io.tutti.gpu.host.memory;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Lets memory go only when no thread can still touch it. A thread enters before it resolves an address and leaves when it
 * has dropped what it resolved; what was retired meanwhile is freed once every thread that was inside has left. An
 * access after an unmap would end the JVM, so this holds for every access that the driver itself runs.
 */
public final class Quiescence {

    /** One thread's place; even while outside. */
    public static final class Reader {
        private volatile long passes;
    }

    private record Blocker(Reader reader, long pass) {
        boolean gone() {
            return reader.passes != pass;
        }
    }

    /** Not a record: two pieces are never the same. */
    private static final class Retired {
        private final List<Blocker> blockers;
        private final Runnable free;

        Retired(List<Blocker> blockers, Runnable free) {
            this.blockers = blockers;
            this.free = free;
        }

        boolean isDue() {
            return blockers.stream().allMatch(Blocker::gone);
        }
    }

    private final CopyOnWriteArrayList<Reader> readers = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<Reader> borrowed = new ConcurrentLinkedQueue<>();
    private final List<Retired> waiting = new ArrayList<>();
    private volatile int waitingCount;

    /** A place for a thread that accesses memory for its whole life. */
    public Reader register() {
        Reader reader = new Reader();
        readers.add(reader);
        return reader;
    }

    public void unregister(Reader reader) {
        readers.remove(reader);
        poll();
    }

    /** A place for one access by a thread that comes and goes, already entered; to be given to {@link #giveBack}. */
    public Reader borrow() {
        Reader reader = borrowed.poll();
        if (reader == null) {
            reader = register();
        }
        enter(reader);
        return reader;
    }

    public void giveBack(Reader reader) {
        leave(reader);
        borrowed.add(reader);
    }

    /** Only by the reader's own thread. The volatile store orders it before the address lookups that follow. */
    public void enter(Reader reader) {
        reader.passes = reader.passes + 1;
    }

    public void leave(Reader reader) {
        reader.passes = reader.passes + 1;
        if (waitingCount > 0) {
            poll();
        }
    }

    /**
     * Runs {@code free} when nobody who could have resolved the memory is inside: at once where nobody is. The memory is
     * to be unreachable by new lookups already.
     */
    public void retire(Runnable free) {
        List<Blocker> blockers = new ArrayList<>();
        for (Reader reader : readers) {
            long pass = reader.passes;
            if ((pass & 1) != 0) {
                blockers.add(new Blocker(reader, pass));
            }
        }
        if (blockers.isEmpty()) {
            free.run();
            return;
        }
        Retired retired = new Retired(blockers, free);
        synchronized (waiting) {
            waiting.add(retired);
            waitingCount = waiting.size();
        }
        // The last blocker may have left before it could see that something waits. Only this piece is looked at: the
        // caller may hold locks that another piece's owner needs.
        if (retired.isDue() && withdraw(retired)) {
            free.run();
        }
    }

    private boolean withdraw(Retired retired) {
        synchronized (waiting) {
            boolean found = waiting.remove(retired);
            waitingCount = waiting.size();
            return found;
        }
    }

    /** How many retired pieces still wait. */
    public int waiting() {
        return waitingCount;
    }

    private void poll() {
        List<Retired> due = new ArrayList<>();
        synchronized (waiting) {
            for (Iterator<Retired> all = waiting.iterator(); all.hasNext(); ) {
                Retired retired = all.next();
                if (retired.isDue()) {
                    due.add(retired);
                    all.remove();
                }
            }
            waitingCount = waiting.size();
        }
        due.forEach(retired -> retired.free.run());
    }
}
