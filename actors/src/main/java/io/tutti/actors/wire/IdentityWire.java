package io.tutti.actors.wire;

import io.tutti.actors.protocol.Incarnation;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.Term;
import io.tutti.proto.EpochIdProto;
import io.tutti.proto.IncarnationProto;
import io.tutti.proto.TermProto;

/** Terms, epochs and incarnations. */
final class IdentityWire {

    private IdentityWire() {}

    static TermProto toProto(Term term) {
        return TermProto.newBuilder()
                .setCounter(term.counter())
                .setCoordinatorId(term.coordinatorId())
                .build();
    }

    static Term toTerm(boolean present, TermProto term) {
        Require.present("term", present);
        return new Term(Require.count("counter", term.getCounter()), term.getCoordinatorId());
    }

    static EpochIdProto toProto(EpochId epoch) {
        return EpochIdProto.newBuilder()
                .setTerm(toProto(epoch.term()))
                .setEpoch(epoch.epoch())
                .build();
    }

    static EpochId toEpoch(boolean present, EpochIdProto epoch) {
        Require.present("epoch", present);
        return new EpochId(toTerm(epoch.hasTerm(), epoch.getTerm()), Require.count("epoch", epoch.getEpoch()));
    }

    static IncarnationProto toProto(Incarnation incarnation) {
        return IncarnationProto.newBuilder()
                .setRank(Require.count("rank", incarnation.rank()))
                .setId(incarnation.id())
                .setProcessId(incarnation.processId())
                .build();
    }

    static Incarnation toIncarnation(boolean present, IncarnationProto incarnation) {
        Require.present("incarnation", present);
        return new Incarnation(
                Require.count("rank", incarnation.getRank()), incarnation.getId(), incarnation.getProcessId());
    }
}
