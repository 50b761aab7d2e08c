package io.tutti.actors.protocol.coordinator;

import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.plan.Exclusion;
import io.tutti.gpu.plan.RankFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a coordinator remembers from one epoch to the next.
 *
 * @param exclusions paths and kinds that failed when tried
 * @param facts all ranks' lasting facts, for which that holds; empty before anything was planned
 * @param workspaceLimit what the workspace budget was lowered to, or 0
 * @param shrinks how often it was lowered for the present path
 * @param attempts epochs formed in vain since the last committed one
 * @param claims terms claimed in vain since the last epoch was begun
 * @param notReady tries in vain because a driver was not ready
 * @param fruitless epochs that ended since an operation last completed
 * @param lastCause why the last epoch ended
 */
public record History(
        List<Exclusion> exclusions,
        List<RankFacts> facts,
        long workspaceLimit,
        int shrinks,
        int attempts,
        int claims,
        int notReady,
        int fruitless,
        Optional<ErrorInfo> lastCause) {

    public static final History NONE = new History(List.of(), List.of(), 0, 0, 0, 0, 0, 0, Optional.empty());

    public History {
        exclusions = List.copyOf(exclusions);
        facts = List.copyOf(facts);
    }

    History excluding(Exclusion exclusion) {
        List<Exclusion> more = new ArrayList<>(exclusions);
        more.add(exclusion);
        return new History(more, facts, 0, 0, attempts, claims, notReady, fruitless, lastCause);
    }

    /** Whether anything was learned that stands only for the facts of that time. */
    boolean learned() {
        return !exclusions.isEmpty() || workspaceLimit != 0;
    }

    /** What the next plan rests on; what was learned stays. */
    History planning(List<RankFacts> lasting) {
        return new History(
                exclusions, lasting, workspaceLimit, shrinks, attempts, claims, notReady, fruitless, lastCause);
    }

    /** What was refused or lowered is tried again. */
    History forgotten() {
        return new History(List.of(), facts, 0, 0, attempts, claims, 0, fruitless, lastCause);
    }

    History shrunkTo(long bytes) {
        return new History(exclusions, facts, bytes, shrinks + 1, attempts, claims, notReady, fruitless, lastCause);
    }

    History attempted() {
        return new History(exclusions, facts, workspaceLimit, shrinks, attempts + 1, 0, notReady, fruitless, lastCause);
    }

    History claimed() {
        return new History(
                exclusions, facts, workspaceLimit, shrinks, attempts, claims + 1, notReady, fruitless, lastCause);
    }

    History waitedForReadiness() {
        return new History(
                exclusions, facts, workspaceLimit, shrinks, attempts - 1, claims, notReady + 1, fruitless, lastCause);
    }

    History steppedBack() {
        return new History(exclusions, facts, workspaceLimit, shrinks, 0, 0, 0, 0, lastCause);
    }

    History committed() {
        return new History(exclusions, facts, workspaceLimit, shrinks, 0, 0, 0, fruitless, lastCause);
    }

    History ended(ErrorInfo cause, boolean anyCompleted) {
        return new History(
                exclusions,
                facts,
                workspaceLimit,
                shrinks,
                attempts,
                claims,
                notReady,
                anyCompleted ? 0 : fruitless + 1,
                Optional.of(cause));
    }
}
