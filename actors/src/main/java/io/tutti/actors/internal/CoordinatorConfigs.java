package io.tutti.actors.internal;

import io.tutti.actors.protocol.Stage;
import io.tutti.actors.protocol.coordinator.CoordinatorConfig;
import io.tutti.actors.protocol.coordinator.CoordinatorLimits;
import io.tutti.actors.protocol.coordinator.CoordinatorTiming;
import io.tutti.actors.wire.ProtocolVersion;
import io.tutti.config.CommunicatorSettings;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.workspace.WorkspaceSpecs;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** A coordinator's configuration, from the settings. */
final class CoordinatorConfigs {

    private CoordinatorConfigs() {}

    static CoordinatorConfig of(TuttiSettings settings, CommunicatorSettings communicator, String coordinatorId) {
        CoordinatorLimits standard = CoordinatorLimits.standard();
        return new CoordinatorConfig(
                communicator.name(),
                coordinatorId,
                communicator.worldSize(),
                ProtocolVersion.CURRENT,
                settings.policy(),
                timing(settings),
                new CoordinatorLimits(
                        standard.attempts(),
                        standard.claims(),
                        standard.notReady(),
                        standard.shrinks(),
                        WorkspaceSpecs.leastBudget(communicator.worldSize())));
    }

    private static CoordinatorTiming timing(TuttiSettings settings) {
        CoordinatorTiming standard = CoordinatorTiming.standard();
        Map<Stage, Duration> stages = new EnumMap<>(Stage.class);
        for (Stage stage : Stage.values()) {
            stages.put(stage, settings.stageTimeouts().of(stage.wireName()));
        }
        return new CoordinatorTiming(
                settings.cluster().formTimeout(),
                standard.claim(),
                stages,
                standard.stage(),
                standard.margin(),
                // A rank may need the whole of an operation's deadline and a little more, on each of its two streams.
                standard.drain().plus(settings.operationTimeout().multipliedBy(2)),
                standard.resend(),
                standard.closeGrace(),
                standard.backoffFirst(),
                standard.backoffMost(),
                standard.notReady());
    }
}
