package io.tutti.actors.protocol.rank;

import io.tutti.actors.protocol.Stage;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.plan.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/** The words in which a rank reports what it decided itself. */
final class RankErrors {

    private RankErrors() {}

    static ErrorInfo policyDiffers(RankConfig config, Policy theirs) {
        Policy mine = config.policy();
        List<String> differences = new ArrayList<>();
        differ(differences, "paths", new TreeSet<>(mine.paths()), new TreeSet<>(theirs.paths()));
        differ(differences, "handleKinds", new TreeSet<>(mine.handleKinds()), new TreeSet<>(theirs.handleKinds()));
        differ(differences, "algorithm", mine.algorithm(), theirs.algorithm());
        differ(differences, "workspaceBytes", mine.workspaceBytes(), theirs.workspaceBytes());
        differ(differences, "shareDevices", mine.shareDevices(), theirs.shareDevices());
        return new ErrorInfo(
                ErrorCode.CONFIGURATION,
                config.self().rank(),
                Stage.PLAN.wireName(),
                null,
                "this rank's policy differs from the coordinator's: " + String.join("; ", differences),
                "Give communicator " + config.communicator() + " the same settings in all processes.");
    }

    private static void differ(List<String> all, String name, Object mine, Object theirs) {
        if (!Objects.equals(mine, theirs)) {
            all.add(name + "=" + mine + " here and " + theirs + " there");
        }
    }

    static ErrorInfo noPlan(RankConfig config, Stage stage) {
        return new ErrorInfo(
                ErrorCode.INTERNAL,
                config.self().rank(),
                stage.wireName(),
                null,
                "stage " + stage.wireName() + " was ordered without a plan that this rank has agreed to",
                "Report this together with the coordinator's log.");
    }

    static ErrorInfo coordinatorSilent(RankConfig config) {
        return new ErrorInfo(
                ErrorCode.TIMEOUT,
                config.self().rank(),
                null,
                null,
                "rank " + config.self().rank() + " heard nothing from the coordinator of " + config.communicator()
                        + " in time: waited=" + config.timing().patience().toMillis() + "ms",
                "Look for a lost coordinator or lost contact with it; the operation may have completed elsewhere.");
    }

    static ErrorInfo leftUnanswered(RankConfig config) {
        return new ErrorInfo(
                ErrorCode.CLOSED,
                config.self().rank(),
                null,
                null,
                "communicator " + config.communicator() + " was closed on rank "
                        + config.self().rank() + " before a coordinator had answered",
                "");
    }

    static ErrorInfo leftAlone(RankConfig config) {
        return new ErrorInfo(
                ErrorCode.CLOSED,
                config.self().rank(),
                null,
                null,
                "communicator " + config.communicator() + " was closed on rank "
                        + config.self().rank()
                        + " without an answer from the coordinator: waited="
                        + config.timing().leave().toMillis()
                        + "ms",
                "");
    }
}
