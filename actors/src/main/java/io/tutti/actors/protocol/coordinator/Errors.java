package io.tutti.actors.protocol.coordinator;

import io.tutti.actors.protocol.CoordinatorMessage.Hello;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.actors.protocol.coordinator.CoordinatorPhase.StageFailure;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.plan.PlanningResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The words in which a coordinator reports what it decided itself; a rank's own words are never rewritten. */
final class Errors {

    private Errors() {}

    /** Why a rank cannot be part of this communicator, or empty when it can. */
    static Optional<ErrorInfo> disagreement(
            CoordinatorConfig config, SortedMap<Integer, Incarnation> present, Hello hello) {
        int rank = hello.from().rank();
        String others = present.isEmpty()
                ? "the coordinator has"
                : "rank " + (present.firstKey() == rank ? present.lastKey() : present.firstKey())
                        + " and the coordinator have";
        if (hello.protocolVersion() != config.protocolVersion()) {
            return Optional.of(configuration(
                    rank,
                    "protocol versions differ: rank " + rank + " has protocolVersion=" + hello.protocolVersion() + ", "
                            + others + " protocolVersion=" + config.protocolVersion(),
                    "Run one build of Tutti in all processes."));
        }
        if (hello.worldSize() != config.worldSize()) {
            return Optional.of(configuration(
                    rank,
                    "world sizes differ: rank " + rank + " has worldSize=" + hello.worldSize() + ", " + others
                            + " worldSize=" + config.worldSize(),
                    "Give communicator " + config.communicator() + " the same world size in all processes."));
        }
        if (rank < 0 || rank >= config.worldSize()) {
            return Optional.of(configuration(
                    rank,
                    "no such rank: rank=" + rank + " worldSize=" + config.worldSize(),
                    "Ranks are numbered from 0 to " + (config.worldSize() - 1) + "."));
        }
        return Optional.empty();
    }

    private static ErrorInfo configuration(int rank, String message, String advice) {
        return new ErrorInfo(ErrorCode.CONFIGURATION, rank, "hello", null, message, advice);
    }

    static ErrorInfo superseded(CoordinatorConfig config, Incarnation rank) {
        return new ErrorInfo(
                ErrorCode.REMOTE,
                rank.rank(),
                "hello",
                null,
                "this start of rank " + rank.rank() + " of " + config.communicator()
                        + " was replaced by a later one, or reported dead: process=" + rank.processId(),
                "Start a rank in one process only; a rank that is to return starts anew.");
    }

    static ErrorInfo replaced(CoordinatorConfig config, Incarnation rank) {
        return new ErrorInfo(
                ErrorCode.REMOTE,
                rank.rank(),
                null,
                null,
                "rank " + rank.rank() + " of " + config.communicator() + " started anew",
                "See that rank's log for why it restarted.");
    }

    static ErrorInfo stoppedWaiting(int rank) {
        return new ErrorInfo(
                ErrorCode.TIMEOUT,
                rank,
                null,
                null,
                "rank " + rank + " left the epoch because it heard nothing from the coordinator in time",
                "Look for lost contact between that rank and the coordinator.");
    }

    static ErrorInfo silent(CoordinatorConfig config, int rank, String at, Duration waited) {
        return new ErrorInfo(
                ErrorCode.TIMEOUT,
                rank,
                at,
                null,
                "rank " + rank + " of " + config.communicator() + " did not answer: at=" + at + " waited="
                        + waited.toMillis() + "ms",
                "Look at that rank's log and whether its process is stopped or cut off.");
    }

    static ErrorInfo missing(
            CoordinatorConfig config, SortedMap<Integer, Incarnation> present, Optional<ErrorInfo> cause) {
        List<Integer> missing = new ArrayList<>();
        for (int rank = 0; rank < config.worldSize(); rank++) {
            if (!present.containsKey(rank)) {
                missing.add(rank);
            }
        }
        return new ErrorInfo(
                cause.map(ErrorInfo::code).filter(ErrorCode.REMOTE::equals).orElse(ErrorCode.TIMEOUT),
                missing.get(0),
                "hello",
                null,
                "not all ranks of " + config.communicator() + " are there: missing=" + missing + " worldSize="
                        + config.worldSize() + " waited="
                        + config.timing().gather().toMillis() + "ms"
                        + cause.map(c -> "; before that: " + c.message()).orElse(""),
                "Start the missing ranks, or look at why they ended.");
    }

    static ErrorInfo claimsSpent(CoordinatorConfig config, History history) {
        return history.lastCause()
                .orElse(ErrorInfo.of(
                        ErrorCode.REMOTE,
                        "the ranks of " + config.communicator() + " did not agree on a coordinator: claims="
                                + history.claims(),
                        "Look for a second coordinator or ranks that restart again and again."));
    }

    static ErrorInfo attemptsSpent(CoordinatorConfig config, History history) {
        return history.lastCause()
                .orElse(ErrorInfo.of(
                        ErrorCode.PREFLIGHT,
                        "no epoch of " + config.communicator() + " could be formed: attempts=" + history.attempts(),
                        "See the log for what failed at each attempt."));
    }

    static ErrorInfo closed(CoordinatorConfig config, int rank) {
        return new ErrorInfo(
                ErrorCode.CLOSED,
                rank,
                null,
                null,
                "communicator " + config.communicator() + " was closed by rank " + rank,
                "");
    }

    static ErrorInfo inherited(CoordinatorConfig config) {
        return ErrorInfo.of(
                ErrorCode.ABORTED,
                "the coordinator of " + config.communicator() + " changed, and the new one forms a new epoch",
                "Make the call again.");
    }

    static ErrorInfo oddAnswer(int rank, Stage stage) {
        return new ErrorInfo(
                ErrorCode.INTERNAL,
                rank,
                stage.wireName(),
                null,
                "rank " + rank + " gave an answer of the wrong kind at stage " + stage.wireName(),
                "Report this together with the log of that rank.");
    }

    /** What really failed when it was tried says more than that nothing is left; what to do is the planner's to say. */
    static ErrorInfo noPathLeft(History history, PlanningResult.Refused refused) {
        if (history.exclusions().isEmpty()) {
            return refused.error();
        }
        ErrorInfo tried = history.exclusions().get(0).error();
        return new ErrorInfo(
                tried.code(),
                tried.rank(),
                tried.call(),
                tried.result(),
                tried.message(),
                refused.error().advice());
    }

    static ErrorInfo disagreesOnPolicy(StageFailure failure, Map<Integer, StageOutcome> answers) {
        @Nullable Integer agreeing = null;
        for (Map.Entry<Integer, StageOutcome> answer : answers.entrySet()) {
            if (agreeing == null && answer.getValue() instanceof StageOutcome.Planned) {
                agreeing = answer.getKey();
            }
        }
        ErrorInfo error = failure.error();
        String other = agreeing == null ? "the coordinator" : "rank " + agreeing;
        return new ErrorInfo(
                error.code(),
                failure.rank(),
                Stage.PLAN.wireName(),
                null,
                "rank " + failure.rank() + " and " + other + " disagree: " + error.message(),
                error.advice());
    }

    static ErrorInfo plansDiffer(int rank, Map<Integer, StageOutcome> answers, String hash) {
        @Nullable Integer agreeing = null;
        for (Map.Entry<Integer, StageOutcome> answer : answers.entrySet()) {
            if (agreeing == null
                    && answer.getValue() instanceof StageOutcome.Planned planned
                    && planned.planHash().equals(hash)) {
                agreeing = answer.getKey();
            }
        }
        String other = agreeing == null ? "the coordinator" : "rank " + agreeing;
        String theirs = answers.get(rank) instanceof StageOutcome.Planned planned ? planned.planHash() : "";
        return new ErrorInfo(
                ErrorCode.MISMATCH,
                rank,
                Stage.PLAN.wireName(),
                null,
                "rank " + rank + " and " + other + " plan different layouts or launch geometries from the same facts:"
                        + " planHash=" + theirs + " planHash=" + hash,
                "Run one build of Tutti in all processes.");
    }
}
