package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.plan.PairClass;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses one valid offer for each peer before any of them is imported. */
final class OfferCheck {

    private final RankDevice.Settings self;
    private final EpochId epoch;
    private final EpochPlan plan;
    private final long bytes;
    private final long padBytes;

    OfferCheck(RankDevice.Settings self, EpochId epoch, EpochPlan plan, long bytes, long padBytes) {
        this.self = self;
        this.epoch = epoch;
        this.plan = plan;
        this.bytes = bytes;
        this.padBytes = padBytes;
    }

    /**
     * The offer to import for each rank; null at this rank's own place.
     *
     * @throws TuttiException with code STALE for another epoch's offer, else PREFLIGHT; nothing was imported
     */
    @Nullable
    MemoryOffer[] choose(List<MemoryOffer> offers) {
        @Nullable MemoryOffer[] chosen = new MemoryOffer[self.worldSize()];
        for (MemoryOffer offer : offers) {
            if (offer.rank() < 0 || offer.rank() >= self.worldSize()) {
                throw refused(offer, "the rank is out of range: worldSize=" + self.worldSize());
            }
            if (offer.epoch() != epoch.epoch()) {
                throw new TuttiException(new ErrorInfo(
                        ErrorCode.STALE,
                        offer.rank(),
                        "import",
                        null,
                        "an offer belongs to another epoch: offered=" + offer.epoch() + " forming=" + epoch.epoch(),
                        "It is dropped; the rank offers again in the present epoch."));
            }
            if (offer.rank() != self.rank() && offer.kind() == wantedKind(offer)) {
                if (chosen[offer.rank()] != null) {
                    throw refused(offer, "it offers twice");
                }
                requireSizes(offer);
                chosen[offer.rank()] = offer;
            }
        }
        for (int rank = 0; rank < chosen.length; rank++) {
            if (rank != self.rank() && chosen[rank] == null) {
                throw new TuttiException(new ErrorInfo(
                        ErrorCode.PREFLIGHT,
                        rank,
                        "import",
                        null,
                        "rank " + rank + " has no offer of the agreed kind: agreed=" + plan.handleKinds(),
                        "Form the epoch again; every rank must export by the agreed kind."));
            }
        }
        return chosen;
    }

    private HandleKind wantedKind(MemoryOffer offer) {
        PairClass pair = !offer.hostId().equals(self.hostId())
                ? PairClass.OTHER_HOST
                : offer.processId().equals(self.processId()) ? PairClass.SAME_PROCESS : PairClass.SAME_HOST;
        HandleKind kind = plan.handleKinds().get(pair);
        if (kind == null) {
            throw refused(
                    offer, "no handle kind is agreed for its place: place=" + pair + " agreed=" + plan.handleKinds());
        }
        if (kind == HandleKind.IN_PROCESS && pair != PairClass.SAME_PROCESS) {
            throw refused(offer, "it lives in another process: process=" + offer.processId());
        }
        return kind;
    }

    private void requireSizes(MemoryOffer offer) {
        if (offer.bytes() != bytes || offer.padBytes() != padBytes) {
            throw refused(
                    offer,
                    "its workspace has another size: bytes=" + offer.bytes() + " padBytes=" + offer.padBytes()
                            + " expectedBytes=" + bytes + " expectedPadBytes=" + padBytes);
        }
    }

    private static TuttiException refused(MemoryOffer offer, String what) {
        return new TuttiException(new ErrorInfo(
                ErrorCode.PREFLIGHT,
                offer.rank(),
                "import",
                null,
                "rank " + offer.rank() + "'s offer cannot be used: " + what + " kind="
                        + offer.kind().wireName(),
                "All ranks must run the same build and plan."));
    }
}
