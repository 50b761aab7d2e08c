package io.tutti.gpu.rank;

import io.tutti.gpu.UndoStack;
import io.tutti.gpu.memory.WorkspaceMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * A rank's workspaces of former epochs that could not be freed when their epoch ended: nobody uses them again. Confined to
 * the rank's thread.
 */
final class KeptMemory implements AutoCloseable {

    private final List<WorkspaceMemory> abandoned = new ArrayList<>();
    private final List<WorkspaceMemory> imported = new ArrayList<>();
    private long abandonedBytes;

    /** Counts memory that was abandoned and needs no keeping. */
    void count(WorkspaceMemory memory) {
        abandonedBytes += memory.bytes();
    }

    /** Keeps memory that a peer may still write to, as long as the rank lives. */
    void abandon(WorkspaceMemory memory) {
        count(memory);
        abandoned.add(memory);
    }

    /** Keeps memory that nobody writes to any more but that another process may have open by legacy IPC. */
    void untilImportersAreGone(WorkspaceMemory memory) {
        imported.add(memory);
    }

    /** All ranks have exported for a later epoch, before which each of them has closed what it had opened. */
    void importersAreGone() {
        free(imported);
    }

    long abandonedBytes() {
        return abandonedBytes;
    }

    private static void free(List<WorkspaceMemory> memories) {
        try (UndoStack undo = new UndoStack()) {
            memories.forEach(memory -> undo.push(memory::close));
            memories.clear();
        }
    }

    @Override
    public void close() {
        try (UndoStack all = new UndoStack()) {
            all.push(() -> free(abandoned));
            all.push(() -> free(imported));
        }
    }
}
