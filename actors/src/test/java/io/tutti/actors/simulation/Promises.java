package io.tutti.actors.simulation;

import io.tutti.actors.protocol.CoordinatorMessage.Promised;
import io.tutti.actors.protocol.Stage;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.Term;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Watches what really happens on the devices and breaks the run when a promise of the protocol is broken. It knows the
 * truth about every life of every rank, which no core does.
 */
final class Promises {

    private record Where(EpochId epoch, PathKind path) {}

    private record Slot(SimRank life, EpochId epoch) {}

    private enum Memory {
        HELD,
        RELEASED,
        ABANDONED
    }

    private final int worldSize;
    private final Map<Integer, Where> completed = new HashMap<>();
    private final Map<EpochId, Set<Integer>> armed = new HashMap<>();
    private final Map<EpochId, Map<Integer, SimRank>> entered = new HashMap<>();
    private final Map<EpochId, Set<SimRank>> writers = new LinkedHashMap<>();
    private final Map<Slot, Memory> memory = new LinkedHashMap<>();
    private final Map<SimRank, Term> promised = new HashMap<>();
    private final Map<Term, Set<Integer>> followers = new HashMap<>();
    private final Map<SimRank, Long> lastEpoch = new HashMap<>();
    private final Map<Slot, Stage> stages = new HashMap<>();
    private final Set<Slot> ended = new HashSet<>();

    Promises(int worldSize) {
        this.worldSize = worldSize;
    }

    static void check(boolean holds, String message) {
        if (!holds) {
            throw new BrokenPromise(message);
        }
    }

    void promised(SimRank life, Promised promise) {
        check(!term(life).isAfter(promise.term()), life + " promised " + promise.term() + " after " + term(life));
        promised.put(life, promise.term());
        followers.computeIfAbsent(promise.term(), t -> new TreeSet<>()).add(life.rank());
    }

    /** A coordinator leads: every rank has promised its term. */
    void leads(Term term) {
        int all = followers.getOrDefault(term, Set.of()).size();
        check(all == worldSize, "a coordinator leads with " + term + " while only " + all + " ranks have promised it");
    }

    private Term term(SimRank life) {
        return promised.getOrDefault(life, Term.NONE);
    }

    /** A device begins a stage: nothing stale, nothing skipped, nothing twice. */
    void begins(SimRank life, EpochId epoch, Stage stage) {
        check(
                epoch.term().equals(term(life)),
                life + " begins " + stage + " of " + epoch + " while its promise is " + term(life));
        Slot slot = new Slot(life, epoch);
        Stage before = stages.put(slot, stage);
        int expected = before == null ? Stage.IDENTITY.ordinal() : before.ordinal() + 1;
        if (before == Stage.IDENTITY) {
            expected++; // The core plans by itself.
        }
        check(stage.ordinal() == expected, life + " begins " + stage + " of " + epoch + " after " + before);
        if (before == null) {
            Long last = lastEpoch.put(life, epoch.epoch());
            check(last == null || last < epoch.epoch(), life + " begins " + epoch + " after epoch " + last);
        }
        if (stage == Stage.ALLOCATE) {
            memory.put(slot, Memory.HELD);
        } else if (stage == Stage.IMPORT) {
            writers.computeIfAbsent(epoch, e -> new HashSet<>()).add(life);
        }
    }

    void armed(SimRank life, EpochId epoch) {
        armed.computeIfAbsent(epoch, e -> new TreeSet<>()).add(life.rank());
    }

    void enters(SimRank life, EpochId epoch) {
        check(epoch.term().equals(term(life)), life + " enters " + epoch + " while its promise is " + term(life));
        int ready = armed.getOrDefault(epoch, Set.of()).size();
        check(ready == worldSize, life + " enters " + epoch + " while only " + ready + " ranks are armed");
        check(!ended.contains(new Slot(life, epoch)), life + " enters " + epoch + " which has ended for it");
        entered.computeIfAbsent(epoch, e -> new HashMap<>()).put(life.rank(), life);
    }

    void visible(SimRank life, EpochId epoch) {
        int inside = entered.getOrDefault(epoch, Map.of()).size();
        check(inside == worldSize, epoch + " is visible on " + life + " while only " + inside + " ranks entered");
    }

    void completes(SimRank life, int operation, EpochId epoch, PathKind path) {
        Where where = new Where(epoch, path);
        Where other = completed.putIfAbsent(operation, where);
        check(
                other == null || other.equals(where),
                "operation " + operation + " completes in " + where + " on " + life + " and in " + other);
    }

    /** Users are told that the call may be made again. */
    void resubmittable(int operation) {
        check(
                !completed.containsKey(operation),
                "operation " + operation + " may be made again, but has completed in " + completed.get(operation));
    }

    void drained(SimRank life, EpochId epoch) {
        writers.computeIfPresent(epoch, (e, lives) -> {
            lives.remove(life);
            return lives;
        });
    }

    void died(SimRank life) {
        writers.values().forEach(lives -> lives.remove(life));
        memory.keySet().removeIf(slot -> slot.life() == life);
    }

    void released(SimRank life, EpochId epoch) {
        Set<SimRank> still = writers.getOrDefault(epoch, Set.of());
        check(still.isEmpty(), life + " releases memory of " + epoch + " while " + still + " may write to it");
        over(life, epoch, Memory.RELEASED);
    }

    void abandoned(SimRank life, EpochId epoch) {
        over(life, epoch, Memory.ABANDONED);
    }

    private void over(SimRank life, EpochId epoch, Memory how) {
        Memory before = memory.replace(new Slot(life, epoch), how);
        check(
                before == null || before == Memory.HELD,
                life + " lets go of memory of " + epoch + " twice: " + before + " and " + how);
    }

    void endsForUsers(SimRank life, EpochId epoch) {
        check(ended.add(new Slot(life, epoch)), epoch + " ends twice for users of " + life);
    }

    /** Nothing may be held by a life that has finished. */
    void finished(SimRank life) {
        memory.forEach((slot, state) -> check(
                slot.life() != life || state != Memory.HELD,
                life + " has finished and still holds memory of " + slot.epoch()));
    }
}
