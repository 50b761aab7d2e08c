package io.tutti.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.plan.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SettingsTest {

    @Test
    void nothing_written_gives_one_communicator_of_four_ranks_on_this_machine() {
        TuttiSettings settings = ConfigText.settings();

        assertThat(settings.communicators()).containsExactly(new CommunicatorSettings("tp0", 4, List.of(0, 1, 2, 3)));
        assertThat(settings.driver()).isEqualTo(DriverChoice.AUTO);
        assertThat(settings.topology()).isEqualTo("local");
        assertThat(settings.hostDriver().devices()).isEmpty();
        assertThat(settings.hostDriver().memoryPerDeviceBytes()).isEmpty();
        assertThat(settings.cluster())
                .isEqualTo(new ClusterSettings(
                        "tutti",
                        "127.0.0.1",
                        0,
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        Duration.ofSeconds(60),
                        512 << 10));
        assertThat(settings.cluster().onLoopback()).isTrue();
        assertThat(settings.inject()).isEmpty();
        assertThat(settings.insecure()).isFalse();
        assertThat(settings.forbiddenPaths()).isEmpty();
    }

    @Test
    void the_default_policy_is_the_planners_own() {
        assertThat(ConfigText.settings().policy()).isEqualTo(Policy.standard());
    }

    @Test
    void the_policy_carries_what_is_written() {
        TuttiSettings settings = ConfigText.settings(
                "tutti.paths = [p2p]",
                "tutti.handle-kinds = [posix-fd]",
                "tutti.algorithm = two-shot",
                "tutti.workspace.size = 64 MiB",
                "tutti.devices.allow-sharing = true");

        assertThat(settings.policy())
                .isEqualTo(new Policy(
                        Set.of(PathKind.P2P),
                        Set.of(HandleKind.POSIX_FD),
                        Optional.of(Algorithm.TWO_SHOT),
                        64L << 20,
                        true));
    }

    @Test
    void a_forbidden_path_says_what_forbids_it() {
        TuttiSettings settings =
                TuttiSettings.load(ConfigText.parse("", "tutti.paths = [nvls, p2p]"), Map.of("NCCL_NVLS_ENABLE", "0"));

        assertThat(settings.paths()).containsExactly(PathKind.P2P);
        assertThat(settings.forbiddenPaths())
                .containsExactly(Map.entry(PathKind.NVLS, "NCCL_NVLS_ENABLE=0 in the environment"));
        assertThat(ConfigText.settings("", "tutti.paths = [nvls]").forbiddenPaths())
                .containsExactly(Map.entry(PathKind.P2P, "tutti.paths (test:2)"));
    }

    @Test
    void any_other_value_of_the_variable_forbids_nothing() {
        for (String value : List.of("1", "", "2")) {
            TuttiSettings settings = TuttiSettings.load(ConfigText.parse(), Map.of("NCCL_NVLS_ENABLE", value));
            assertThat(settings.paths()).as("NCCL_NVLS_ENABLE=%s", value).contains(PathKind.NVLS);
        }
    }

    @Test
    void communicators_take_what_they_leave_out_from_the_defaults() {
        TuttiSettings settings = ConfigText.settings(
                "tutti.communicator-defaults { world-size = 6, ranks = [5, 0] }",
                "tutti.communicators { b {}, a { world-size = 8 }, c { ranks = all }, d { ranks = [] } }");

        assertThat(settings.communicators())
                .containsExactly(
                        new CommunicatorSettings("a", 8, List.of(0, 5)),
                        new CommunicatorSettings("b", 6, List.of(0, 5)),
                        new CommunicatorSettings("c", 6, List.of(0, 1, 2, 3, 4, 5)),
                        new CommunicatorSettings("d", 6, List.of()));
        assertThat(settings.communicator("c")).isPresent();
        assertThat(settings.communicator("e")).isEmpty();
    }

    @Test
    void a_longer_operation_timeout_moves_the_timeouts_that_follow_it() {
        TuttiSettings settings = ConfigText.settings("tutti.operation.timeout = 5 m");

        assertThat(settings.operationTimeout()).isEqualTo(Duration.ofMinutes(5));
        assertThat(settings.stageTimeouts().of("quiesce")).isGreaterThan(settings.operationTimeout());
        assertThat(settings.closeTimeout()).isGreaterThan(settings.operationTimeout());
    }

    @Test
    void text_from_system_properties_reads_as_numbers_flags_and_lists() {
        TuttiSettings settings = ConfigText.settings(
                "tutti.cluster.port = \"2551\"",
                "tutti.devices.allow-sharing = \"true\"",
                "tutti.communicators.tp0.world-size = \"2\"",
                "tutti.paths = { \"0\" = p2p, \"1\" = nvls }");

        assertThat(settings.cluster().port()).isEqualTo(2551);
        assertThat(settings.shareDevices()).isTrue();
        assertThat(settings.communicators().get(0).worldSize()).isEqualTo(2);
        assertThat(settings.paths()).containsExactly(PathKind.NVLS, PathKind.P2P);
    }

    @Test
    void seed_nodes_become_addresses_of_this_cluster() {
        TuttiSettings settings = ConfigText.settings(
                "tutti.cluster { name = gpus, seed-nodes = [\"127.0.0.1:2551\", \"localhost:2552\"] }");

        assertThat(settings.cluster().seedAddresses())
                .containsExactly("pekko://gpus@127.0.0.1:2551", "pekko://gpus@localhost:2552");
    }
}
