package io.tutti.gpu.model;

import java.util.ArrayList;
import java.util.List;

/** What one agent does: the parts that its process runs one after another, each a kernel or what the host does between. */
final class Program {

    private final List<Step> steps = new ArrayList<>();
    private final List<Integer> starts = new ArrayList<>();
    private final List<Integer> leaves = new ArrayList<>();

    /** Begins the next part. */
    void begin() {
        starts.add(steps.size());
        leaves.add(-1);
    }

    void add(Step step) {
        steps.add(step);
    }

    /** From here on this part only leaves. */
    void markLeave() {
        leaves.set(starts.size() - 1, steps.size());
    }

    Step step(int pc) {
        return steps.get(pc);
    }

    int end() {
        return steps.size();
    }

    int start(int part) {
        return part < starts.size() ? starts.get(part) : steps.size();
    }

    int leave(int part) {
        return leaves.get(part);
    }
}
