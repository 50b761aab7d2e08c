package io.tutti.actors.wire;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.Incarnation;
import io.tutti.gpu.EpochId;
import io.tutti.proto.CoordinatorMessageProto;
import io.tutti.proto.EpochIdProto;
import java.util.Optional;

/** What ranks say. */
final class CoordinatorMessageWire {

    private CoordinatorMessageWire() {}

    static CoordinatorMessageProto toProto(CoordinatorMessage message) {
        CoordinatorMessageProto.Builder proto =
                CoordinatorMessageProto.newBuilder().setFrom(IdentityWire.toProto(message.from()));
        if (message instanceof CoordinatorMessage.Hello hello) {
            proto.setHello(toProto(hello));
        } else if (message instanceof CoordinatorMessage.Promised promised) {
            proto.setPromised(toProto(promised));
        } else if (message instanceof CoordinatorMessage.ClaimRefused refused) {
            proto.setClaimRefused(toProto(refused));
        } else if (message instanceof CoordinatorMessage.StageAnswer answer) {
            proto.setStageAnswer(toProto(answer));
        } else if (message instanceof CoordinatorMessage.CommitAcknowledged acknowledged) {
            proto.setCommitAcknowledged(CoordinatorMessageProto.CommitAcknowledged.newBuilder()
                    .setEpoch(IdentityWire.toProto(acknowledged.epoch())));
        } else if (message instanceof CoordinatorMessage.OperationFailed failed) {
            proto.setOperationFailed(toProto(failed));
        } else if (message instanceof CoordinatorMessage.Drained drained) {
            proto.setDrained(toProto(drained));
        } else if (message instanceof CoordinatorMessage.Leaving) {
            proto.setLeaving(CoordinatorMessageProto.Leaving.getDefaultInstance());
        } else if (message instanceof CoordinatorMessage.ForgetRefusals) {
            proto.setForgetRefusals(CoordinatorMessageProto.ForgetRefusals.getDefaultInstance());
        } else {
            throw Require.unmapped(message);
        }
        return proto.build();
    }

    static CoordinatorMessage toMessage(boolean present, CoordinatorMessageProto message) {
        Require.present("message", present);
        Incarnation from = IdentityWire.toIncarnation(message.hasFrom(), message.getFrom());
        return switch (message.getMessageCase()) {
            case HELLO -> toHello(from, message.getHello());
            case PROMISED -> toPromised(from, message.getPromised());
            case CLAIM_REFUSED -> toClaimRefused(from, message.getClaimRefused());
            case STAGE_ANSWER -> toStageAnswer(from, message.getStageAnswer());
            case COMMIT_ACKNOWLEDGED -> toCommitAcknowledged(from, message.getCommitAcknowledged());
            case OPERATION_FAILED -> toOperationFailed(from, message.getOperationFailed());
            case DRAINED -> toDrained(from, message.getDrained());
            case LEAVING -> new CoordinatorMessage.Leaving(from);
            case FORGET_REFUSALS -> new CoordinatorMessage.ForgetRefusals(from);
            case MESSAGE_NOT_SET -> throw Require.missing("message");
        };
    }

    private static CoordinatorMessageProto.Hello toProto(CoordinatorMessage.Hello hello) {
        return CoordinatorMessageProto.Hello.newBuilder()
                .setWorldSize(Require.count("worldSize", hello.worldSize()))
                .setProtocolVersion(Require.count("protocolVersion", hello.protocolVersion()))
                .setPromised(IdentityWire.toProto(hello.promised()))
                .build();
    }

    private static CoordinatorMessage.Hello toHello(Incarnation from, CoordinatorMessageProto.Hello hello) {
        return new CoordinatorMessage.Hello(
                from,
                Require.count("worldSize", hello.getWorldSize()),
                Require.count("protocolVersion", hello.getProtocolVersion()),
                IdentityWire.toTerm(hello.hasPromised(), hello.getPromised()));
    }

    private static CoordinatorMessageProto.Promised toProto(CoordinatorMessage.Promised promised) {
        CoordinatorMessageProto.Promised.Builder proto = CoordinatorMessageProto.Promised.newBuilder()
                .setTerm(IdentityWire.toProto(promised.term()))
                .setHighestEpoch(Require.count("highestEpoch", promised.highestEpoch()));
        promised.held().ifPresent(held -> proto.setHeld(IdentityWire.toProto(held)));
        promised.drained().ifPresent(drained -> proto.setDrained(IdentityWire.toProto(drained)));
        return proto.build();
    }

    private static CoordinatorMessage.Promised toPromised(Incarnation from, CoordinatorMessageProto.Promised promised) {
        return new CoordinatorMessage.Promised(
                from,
                IdentityWire.toTerm(promised.hasTerm(), promised.getTerm()),
                Require.count("highestEpoch", promised.getHighestEpoch()),
                optionalEpoch(promised.hasHeld(), promised.getHeld()),
                optionalEpoch(promised.hasDrained(), promised.getDrained()));
    }

    private static CoordinatorMessageProto.ClaimRefused toProto(CoordinatorMessage.ClaimRefused refused) {
        return CoordinatorMessageProto.ClaimRefused.newBuilder()
                .setClaimed(IdentityWire.toProto(refused.claimed()))
                .setHighest(IdentityWire.toProto(refused.highest()))
                .build();
    }

    private static CoordinatorMessage.ClaimRefused toClaimRefused(
            Incarnation from, CoordinatorMessageProto.ClaimRefused refused) {
        return new CoordinatorMessage.ClaimRefused(
                from,
                IdentityWire.toTerm(refused.hasClaimed(), refused.getClaimed()),
                IdentityWire.toTerm(refused.hasHighest(), refused.getHighest()));
    }

    private static CoordinatorMessageProto.StageAnswer toProto(CoordinatorMessage.StageAnswer answer) {
        return CoordinatorMessageProto.StageAnswer.newBuilder()
                .setEpoch(IdentityWire.toProto(answer.epoch()))
                .setStage(EnumWire.toProto(answer.stage()))
                .setOutcome(StageWire.toProto(answer.outcome()))
                .build();
    }

    private static CoordinatorMessage.StageAnswer toStageAnswer(
            Incarnation from, CoordinatorMessageProto.StageAnswer answer) {
        return new CoordinatorMessage.StageAnswer(
                from,
                IdentityWire.toEpoch(answer.hasEpoch(), answer.getEpoch()),
                EnumWire.STAGES.of(answer.getStageValue()),
                StageWire.toOutcome(answer.getOutcome()));
    }

    private static CoordinatorMessage.CommitAcknowledged toCommitAcknowledged(
            Incarnation from, CoordinatorMessageProto.CommitAcknowledged acknowledged) {
        return new CoordinatorMessage.CommitAcknowledged(
                from, IdentityWire.toEpoch(acknowledged.hasEpoch(), acknowledged.getEpoch()));
    }

    private static CoordinatorMessageProto.OperationFailed toProto(CoordinatorMessage.OperationFailed failed) {
        CoordinatorMessageProto.OperationFailed.Builder proto = CoordinatorMessageProto.OperationFailed.newBuilder()
                .setEpoch(IdentityWire.toProto(failed.epoch()))
                .setSequence(Require.count("sequence", failed.sequence()))
                .setError(ErrorWire.toProto(failed.error()));
        if (failed.missingRank() != null) {
            proto.setMissingRank(Require.count("missingRank", failed.missingRank()));
        }
        return proto.build();
    }

    private static CoordinatorMessage.OperationFailed toOperationFailed(
            Incarnation from, CoordinatorMessageProto.OperationFailed failed) {
        return new CoordinatorMessage.OperationFailed(
                from,
                IdentityWire.toEpoch(failed.hasEpoch(), failed.getEpoch()),
                Require.count("sequence", failed.getSequence()),
                failed.hasMissingRank() ? Require.count("missingRank", failed.getMissingRank()) : null,
                ErrorWire.toError(failed.hasError(), failed.getError()));
    }

    private static CoordinatorMessageProto.Drained toProto(CoordinatorMessage.Drained drained) {
        CoordinatorMessageProto.Drained.Builder proto = CoordinatorMessageProto.Drained.newBuilder()
                .setEpoch(IdentityWire.toProto(drained.epoch()))
                .setRetired(Require.count("retired", drained.retired()));
        drained.pending().ifPresent(call -> proto.setPending(CallWire.toProto(call)));
        return proto.build();
    }

    private static CoordinatorMessage.Drained toDrained(Incarnation from, CoordinatorMessageProto.Drained drained) {
        return new CoordinatorMessage.Drained(
                from,
                IdentityWire.toEpoch(drained.hasEpoch(), drained.getEpoch()),
                Require.count("retired", drained.getRetired()),
                drained.hasPending() ? Optional.of(CallWire.toCall(true, drained.getPending())) : Optional.empty());
    }

    private static Optional<EpochId> optionalEpoch(boolean present, EpochIdProto epoch) {
        return present ? Optional.of(IdentityWire.toEpoch(true, epoch)) : Optional.empty();
    }
}
