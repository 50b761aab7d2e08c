package io.tutti.actors.wire;

import io.tutti.actors.protocol.Incarnation;
import io.tutti.actors.protocol.RankMessage;
import io.tutti.gpu.op.CallDescriptor;
import io.tutti.proto.RankMessageProto;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the coordinator says. */
final class RankMessageWire {

    private RankMessageWire() {}

    static RankMessageProto toProto(RankMessage message) {
        RankMessageProto.Builder proto = RankMessageProto.newBuilder().setTo(IdentityWire.toProto(message.to()));
        if (message instanceof RankMessage.Welcome welcome) {
            proto.setWelcome(RankMessageProto.Welcome.newBuilder().setTerm(IdentityWire.toProto(welcome.term())));
        } else if (message instanceof RankMessage.Claim claim) {
            proto.setClaim(RankMessageProto.Claim.newBuilder().setTerm(IdentityWire.toProto(claim.term())));
        } else if (message instanceof RankMessage.StageOrder order) {
            proto.setStageOrder(toProto(order));
        } else if (message instanceof RankMessage.Commit commit) {
            proto.setCommit(RankMessageProto.Commit.newBuilder().setEpoch(IdentityWire.toProto(commit.epoch())));
        } else if (message instanceof RankMessage.Committed committed) {
            proto.setCommitted(
                    RankMessageProto.Committed.newBuilder().setEpoch(IdentityWire.toProto(committed.epoch())));
        } else if (message instanceof RankMessage.Abort abort) {
            proto.setAbort(toProto(abort));
        } else if (message instanceof RankMessage.EpochEnded ended) {
            proto.setEpochEnded(toProto(ended));
        } else if (message instanceof RankMessage.RefusalsForgotten forgotten) {
            proto.setRefusalsForgotten(
                    RankMessageProto.RefusalsForgotten.newBuilder().setTerm(IdentityWire.toProto(forgotten.term())));
        } else if (message instanceof RankMessage.Failed failed) {
            proto.setFailed(RankMessageProto.Failed.newBuilder()
                    .setTerm(IdentityWire.toProto(failed.term()))
                    .setCause(ErrorWire.toProto(failed.cause())));
        } else {
            throw Require.unmapped(message);
        }
        return proto.build();
    }

    static RankMessage toMessage(boolean present, RankMessageProto message) {
        Require.present("message", present);
        Incarnation to = IdentityWire.toIncarnation(message.hasTo(), message.getTo());
        return switch (message.getMessageCase()) {
            case WELCOME -> toWelcome(to, message.getWelcome());
            case CLAIM -> toClaim(to, message.getClaim());
            case STAGE_ORDER -> toStageOrder(to, message.getStageOrder());
            case COMMIT -> toCommit(to, message.getCommit());
            case COMMITTED -> toCommitted(to, message.getCommitted());
            case ABORT -> toAbort(to, message.getAbort());
            case EPOCH_ENDED -> toEpochEnded(to, message.getEpochEnded());
            case REFUSALS_FORGOTTEN -> toRefusalsForgotten(to, message.getRefusalsForgotten());
            case FAILED -> toFailed(to, message.getFailed());
            case MESSAGE_NOT_SET -> throw Require.missing("message");
        };
    }

    private static RankMessage.Welcome toWelcome(Incarnation to, RankMessageProto.Welcome welcome) {
        return new RankMessage.Welcome(IdentityWire.toTerm(welcome.hasTerm(), welcome.getTerm()), to);
    }

    private static RankMessage.Claim toClaim(Incarnation to, RankMessageProto.Claim claim) {
        return new RankMessage.Claim(IdentityWire.toTerm(claim.hasTerm(), claim.getTerm()), to);
    }

    private static RankMessageProto.StageOrder toProto(RankMessage.StageOrder order) {
        return RankMessageProto.StageOrder.newBuilder()
                .setEpoch(IdentityWire.toProto(order.epoch()))
                .setStage(EnumWire.toProto(order.stage()))
                .setInput(StageWire.toProto(order.input()))
                .setTimeoutMillis(Require.count("timeoutMillis", order.timeoutMillis()))
                .build();
    }

    private static RankMessage.StageOrder toStageOrder(Incarnation to, RankMessageProto.StageOrder order) {
        return new RankMessage.StageOrder(
                to,
                IdentityWire.toEpoch(order.hasEpoch(), order.getEpoch()),
                EnumWire.STAGES.of(order.getStageValue()),
                StageWire.toInput(order.getInput()),
                Require.count("timeoutMillis", order.getTimeoutMillis()));
    }

    private static RankMessage.Commit toCommit(Incarnation to, RankMessageProto.Commit commit) {
        return new RankMessage.Commit(to, IdentityWire.toEpoch(commit.hasEpoch(), commit.getEpoch()));
    }

    private static RankMessage.Committed toCommitted(Incarnation to, RankMessageProto.Committed committed) {
        return new RankMessage.Committed(to, IdentityWire.toEpoch(committed.hasEpoch(), committed.getEpoch()));
    }

    private static RankMessageProto.Abort toProto(RankMessage.Abort abort) {
        return RankMessageProto.Abort.newBuilder()
                .setTerm(IdentityWire.toProto(abort.term()))
                .setEpoch(IdentityWire.toProto(abort.epoch()))
                .setCause(ErrorWire.toProto(abort.cause()))
                .build();
    }

    private static RankMessage.Abort toAbort(Incarnation to, RankMessageProto.Abort abort) {
        return new RankMessage.Abort(
                IdentityWire.toTerm(abort.hasTerm(), abort.getTerm()),
                to,
                IdentityWire.toEpoch(abort.hasEpoch(), abort.getEpoch()),
                ErrorWire.toError(abort.hasCause(), abort.getCause()));
    }

    private static RankMessageProto.EpochEnded toProto(RankMessage.EpochEnded ended) {
        RankMessageProto.EpochEnded.Builder proto = RankMessageProto.EpochEnded.newBuilder()
                .setTerm(IdentityWire.toProto(ended.term()))
                .setEpoch(IdentityWire.toProto(ended.epoch()))
                .setCause(ErrorWire.toProto(ended.cause()))
                .setResubmittable(ended.resubmittable());
        ended.undrained().stream().sorted().forEach(rank -> proto.addUndrained(Require.count("rank", rank)));
        new TreeMap<>(ended.pending())
                .forEach((rank, call) -> proto.addPending(RankMessageProto.PendingCall.newBuilder()
                        .setRank(Require.count("rank", rank))
                        .setCall(CallWire.toProto(call))));
        return proto.build();
    }

    private static RankMessage.EpochEnded toEpochEnded(Incarnation to, RankMessageProto.EpochEnded ended) {
        Set<Integer> undrained = new HashSet<>();
        ended.getUndrainedList().forEach(rank -> undrained.add(Require.count("rank", rank)));
        Map<Integer, CallDescriptor> pending = new HashMap<>();
        for (RankMessageProto.PendingCall call : ended.getPendingList()) {
            int rank = Require.count("rank", call.getRank());
            if (pending.put(rank, CallWire.toCall(call.hasCall(), call.getCall())) != null) {
                throw new WireFormatException("message names two pending calls of one rank: rank=" + rank);
            }
        }
        return new RankMessage.EpochEnded(
                IdentityWire.toTerm(ended.hasTerm(), ended.getTerm()),
                to,
                IdentityWire.toEpoch(ended.hasEpoch(), ended.getEpoch()),
                ErrorWire.toError(ended.hasCause(), ended.getCause()),
                undrained,
                pending,
                ended.getResubmittable());
    }

    private static RankMessage.RefusalsForgotten toRefusalsForgotten(
            Incarnation to, RankMessageProto.RefusalsForgotten forgotten) {
        return new RankMessage.RefusalsForgotten(IdentityWire.toTerm(forgotten.hasTerm(), forgotten.getTerm()), to);
    }

    private static RankMessage.Failed toFailed(Incarnation to, RankMessageProto.Failed failed) {
        return new RankMessage.Failed(
                IdentityWire.toTerm(failed.hasTerm(), failed.getTerm()),
                to,
                ErrorWire.toError(failed.hasCause(), failed.getCause()));
    }
}
