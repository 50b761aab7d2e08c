package io.tutti.launcher.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.config.Topologies;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.host.fault.FaultPlan;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.plan.RejectedPath;
import io.tutti.launcher.plan.EmulatedFacts;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AbilitiesTest {

    private static List<RankFacts> facts(String topology, int ranks) {
        return new EmulatedFacts(Topologies.load(topology, OptionalLong.empty()), FaultPlan.none()).collect(ranks, 1);
    }

    private static Ability ability(String topology, int ranks, String what) {
        List<RankFacts> facts = facts(topology, ranks);
        return Abilities.of(facts.get(0), facts, List.of()).stream()
                .filter(ability -> ability.what().equals(what))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "h200-8, 8, fabric, true, on this host",
        "h200-8-no-imex, 8, fabric, false, no IMEX channel",
        "pcie-4, 4, fabric, false, attribute HANDLE_TYPE_FABRIC_SUPPORTED",
        "pcie-4, 4, multicast, false, cuMulticastGetGranularity answered CUDA_ERROR_NOT_SUPPORTED",
        "h100-nvl-2, 2, multicast, true, promises nothing",
        "mig, 2, peer-access, false, a MIG slice has no peers",
        "mig, 2, legacy-ipc, false, attribute IPC_EVENT_SUPPORTED",
        "h200-2, 2, peer-access, true, every other rank of this host",
        "h200-2, 2, posix-fd, true, exports descriptors"
    })
    void everyYesAndNoHasItsReason(String topology, int ranks, String what, boolean usable, String reason) {
        Ability ability = ability(topology, ranks, what);
        assertThat(ability.usable()).isEqualTo(usable);
        assertThat(ability.reason()).contains(reason);
        assertThat(ability.advice().isEmpty()).as("a no has advice").isEqualTo(usable);
    }

    @Test
    void whatWasRefusedWhenTriedIsTheRefusingRanksAlone() {
        List<RankFacts> facts = facts("h200-2", 2);
        RejectedPath refused =
                new RejectedPath(PathKind.NVLS, 1, "verify", "cuMulticastBindMem", "CUDA_ERROR_UNKNOWN", "Look.");
        assertThat(Abilities.of(facts.get(0), facts, List.of(refused)))
                .noneMatch(ability -> ability.what().equals("nvls"));
        assertThat(Abilities.of(facts.get(1), facts, List.of(refused)))
                .contains(new Ability(
                        "nvls",
                        false,
                        "tried, and cuMulticastBindMem answered CUDA_ERROR_UNKNOWN at stage verify",
                        "Look."));
    }

    @Test
    void slicesAndTroubleOfTheFabricAreWorthALook() {
        assertThat(Abilities.hints(facts("mig", 2).get(0))).anyMatch(hint -> hint.contains("MIG slice"));
        assertThat(Abilities.hints(facts("h200-2", 2).get(0))).noneMatch(hint -> hint.contains("fabric"));
    }
}
