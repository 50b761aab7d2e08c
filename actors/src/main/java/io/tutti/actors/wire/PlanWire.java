package io.tutti.actors.wire;

import io.tutti.gpu.plan.Exclusion;
import io.tutti.gpu.plan.Policy;
import io.tutti.proto.ExclusionProto;
import io.tutti.proto.PolicyProto;
import java.util.Optional;

/** Policy and exclusions. */
final class PlanWire {

    private PlanWire() {}

    static PolicyProto toProto(Policy policy) {
        PolicyProto.Builder proto = PolicyProto.newBuilder()
                .addAllPaths(EnumWire.pathsToProto(policy.paths()))
                .addAllHandleKinds(EnumWire.kindsToProto(policy.handleKinds()))
                .setWorkspaceBytes(Require.count("workspaceBytes", policy.workspaceBytes()))
                .setShareDevices(policy.shareDevices());
        policy.algorithm().ifPresent(algorithm -> proto.setAlgorithm(EnumWire.toProto(algorithm)));
        return proto.build();
    }

    static Policy toPolicy(boolean present, PolicyProto policy) {
        Require.present("policy", present);
        return new Policy(
                EnumWire.toPaths(policy.getPathsValueList()),
                EnumWire.toKinds(policy.getHandleKindsValueList()),
                policy.hasAlgorithm()
                        ? Optional.of(EnumWire.ALGORITHMS.of(policy.getAlgorithmValue()))
                        : Optional.empty(),
                Require.count("workspaceBytes", policy.getWorkspaceBytes()),
                policy.getShareDevices());
    }

    static ExclusionProto toProto(Exclusion exclusion) {
        ExclusionProto.Builder proto = ExclusionProto.newBuilder()
                .setPath(EnumWire.toProto(exclusion.path()))
                .setStage(exclusion.stage())
                .setError(ErrorWire.toProto(exclusion.error()))
                .setEpoch(Require.count("epoch", exclusion.epoch()));
        if (exclusion.kind() != null) {
            proto.setKind(EnumWire.toProto(exclusion.kind()));
        }
        return proto.build();
    }

    static Exclusion toExclusion(ExclusionProto exclusion) {
        return new Exclusion(
                EnumWire.PATHS.of(exclusion.getPathValue()),
                exclusion.hasKind() ? EnumWire.HANDLE_KINDS.of(exclusion.getKindValue()) : null,
                exclusion.getStage(),
                ErrorWire.toError(exclusion.hasError(), exclusion.getError()),
                Require.count("epoch", exclusion.getEpoch()));
    }
}
