package io.tutti.gpu;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Undo steps in reverse order of what was done, each run once. Closing goes through all of them even when one throws; the
 * first exception is rethrown with the others suppressed. Confined to one thread at a time.
 */
public final class UndoStack implements AutoCloseable {

    private Deque<Runnable> steps = new ArrayDeque<>();

    /** Adds what undoes the step that has just succeeded. */
    public void push(Runnable undo) {
        steps.push(undo);
    }

    /** Moves all steps to a new stack: what was done is kept, and closing this one undoes nothing. */
    public UndoStack keep() {
        UndoStack kept = new UndoStack();
        kept.steps = steps;
        steps = new ArrayDeque<>();
        return kept;
    }

    @Override
    public void close() {
        RuntimeException first = null;
        while (!steps.isEmpty()) {
            try {
                steps.pop().run();
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
