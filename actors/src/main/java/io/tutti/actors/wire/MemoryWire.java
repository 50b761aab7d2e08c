package io.tutti.actors.wire;

import com.google.protobuf.ByteString;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.proto.MemoryOfferProto;
import io.tutti.proto.PadProto;
import java.util.List;

/** Memory offers. */
final class MemoryWire {

    private MemoryWire() {}

    static List<MemoryOfferProto> toProto(List<MemoryOffer> offers) {
        return offers.stream().map(MemoryWire::toProto).toList();
    }

    static List<MemoryOffer> toOffers(List<MemoryOfferProto> offers) {
        return offers.stream().map(MemoryWire::toOffer).toList();
    }

    private static MemoryOfferProto toProto(MemoryOffer offer) {
        return MemoryOfferProto.newBuilder()
                .setRank(Require.count("rank", offer.rank()))
                .setKind(EnumWire.toProto(offer.kind()))
                .setHostId(offer.hostId())
                .setProcessId(offer.processId())
                .setBytes(Require.count("bytes", offer.bytes()))
                .setPad(PadProto.newBuilder()
                        .setBytes(Require.count("padBytes", offer.padBytes()))
                        .setEpoch(Require.count("epoch", offer.epoch())))
                .setHandle(ByteString.copyFrom(offer.handle()))
                .build();
    }

    private static MemoryOffer toOffer(MemoryOfferProto offer) {
        Require.present("pad", offer.hasPad());
        return new MemoryOffer(
                Require.count("rank", offer.getRank()),
                EnumWire.HANDLE_KINDS.of(offer.getKindValue()),
                offer.getHostId(),
                offer.getProcessId(),
                Require.count("bytes", offer.getBytes()),
                Require.count("padBytes", offer.getPad().getBytes()),
                Require.count("epoch", offer.getPad().getEpoch()),
                offer.getHandle().toByteArray());
    }
}
