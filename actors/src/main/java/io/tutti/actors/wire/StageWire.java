package io.tutti.actors.wire;

import io.tutti.actors.protocol.StageInput;
import io.tutti.actors.protocol.StageOutcome;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.proto.FactsProto;
import io.tutti.proto.StageInputProto;
import io.tutti.proto.StageOutcomeProto;
import java.util.List;

/** Inputs and outcomes of the stages. */
final class StageWire {

    private StageWire() {}

    static StageInputProto toProto(StageInput input) {
        StageInputProto.Builder proto = StageInputProto.newBuilder();
        if (input instanceof StageInput.Nothing) {
            proto.setNothing(StageInputProto.Nothing.getDefaultInstance());
        } else if (input instanceof StageInput.Planning planning) {
            proto.setPlanning(toProto(planning));
        } else if (input instanceof StageInput.Importing importing) {
            proto.setImporting(
                    StageInputProto.Importing.newBuilder().addAllOffers(MemoryWire.toProto(importing.offers())));
        } else {
            throw Require.unmapped(input);
        }
        return proto.build();
    }

    static StageInput toInput(StageInputProto input) {
        return switch (input.getInputCase()) {
            case NOTHING -> new StageInput.Nothing();
            case PLANNING -> toPlanning(input.getPlanning());
            case IMPORTING ->
                new StageInput.Importing(
                        MemoryWire.toOffers(input.getImporting().getOffersList()));
            case INPUT_NOT_SET -> throw Require.missing("input");
        };
    }

    static StageOutcomeProto toProto(StageOutcome outcome) {
        StageOutcomeProto.Builder proto = StageOutcomeProto.newBuilder();
        if (outcome instanceof StageOutcome.Done) {
            proto.setDone(StageOutcomeProto.Done.getDefaultInstance());
        } else if (outcome instanceof StageOutcome.Facts facts) {
            proto.setFacts(FactsWire.toProto(List.of(facts.facts())));
        } else if (outcome instanceof StageOutcome.Planned planned) {
            proto.setPlanned(StageOutcomeProto.Planned.newBuilder().setPlanHash(planned.planHash()));
        } else if (outcome instanceof StageOutcome.Exported exported) {
            proto.setExported(
                    StageOutcomeProto.Exported.newBuilder().addAllOffers(MemoryWire.toProto(exported.offers())));
        } else if (outcome instanceof StageOutcome.Refused refused) {
            proto.setRefused(toProto(refused));
        } else {
            throw Require.unmapped(outcome);
        }
        return proto.build();
    }

    static StageOutcome toOutcome(StageOutcomeProto outcome) {
        return switch (outcome.getOutcomeCase()) {
            case DONE -> new StageOutcome.Done();
            case FACTS -> new StageOutcome.Facts(oneRank(outcome.getFacts()));
            case PLANNED -> new StageOutcome.Planned(outcome.getPlanned().getPlanHash());
            case EXPORTED ->
                new StageOutcome.Exported(
                        MemoryWire.toOffers(outcome.getExported().getOffersList()));
            case REFUSED -> toRefused(outcome.getRefused());
            case OUTCOME_NOT_SET -> throw Require.missing("outcome");
        };
    }

    private static StageInputProto.Planning toProto(StageInput.Planning planning) {
        return StageInputProto.Planning.newBuilder()
                .setFacts(FactsWire.toProto(planning.facts()))
                .setPolicy(PlanWire.toProto(planning.policy()))
                .addAllExclusions(
                        planning.exclusions().stream().map(PlanWire::toProto).toList())
                .setPlanHash(planning.planHash())
                .setWorkspaceLimit(Require.count("workspaceLimit", planning.workspaceLimit()))
                .build();
    }

    private static StageInput.Planning toPlanning(StageInputProto.Planning planning) {
        return new StageInput.Planning(
                FactsWire.toFacts(planning.hasFacts(), planning.getFacts()),
                PlanWire.toPolicy(planning.hasPolicy(), planning.getPolicy()),
                planning.getExclusionsList().stream().map(PlanWire::toExclusion).toList(),
                Require.count("workspaceLimit", planning.getWorkspaceLimit()),
                planning.getPlanHash());
    }

    private static StageOutcomeProto.Refused toProto(StageOutcome.Refused refused) {
        StageOutcomeProto.Refused.Builder proto =
                StageOutcomeProto.Refused.newBuilder().setError(ErrorWire.toProto(refused.error()));
        if (refused.kind() != null) {
            proto.setKind(EnumWire.toProto(refused.kind()));
        }
        return proto.build();
    }

    private static StageOutcome.Refused toRefused(StageOutcomeProto.Refused refused) {
        return new StageOutcome.Refused(
                ErrorWire.toError(refused.hasError(), refused.getError()),
                refused.hasKind() ? EnumWire.HANDLE_KINDS.of(refused.getKindValue()) : null);
    }

    private static RankFacts oneRank(FactsProto facts) {
        List<RankFacts> ranks = FactsWire.toFacts(true, facts);
        if (ranks.size() != 1) {
            throw new WireFormatException("a rank answers with its own facts only: ranks=" + ranks.size());
        }
        return ranks.get(0);
    }
}
