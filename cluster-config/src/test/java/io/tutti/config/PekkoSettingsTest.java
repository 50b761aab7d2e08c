package io.tutti.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.cluster.Cluster;
import org.junit.jupiter.api.Test;

final class PekkoSettingsTest {

    @Test
    void the_cluster_settings_become_pekkos() {
        Config pekko = pekko(
                "tutti.cluster { name = gpus, host = localhost, port = 2551, seed-nodes = [\"localhost:2551\"],",
                "  roles = [launcher], frame-size = 1 MiB }");

        assertThat(pekko.getString("actor.provider")).isEqualTo("cluster");
        assertThat(pekko.getString("remote.artery.transport")).isEqualTo("tcp");
        assertThat(pekko.getString("remote.artery.canonical.hostname")).isEqualTo("localhost");
        assertThat(pekko.getInt("remote.artery.canonical.port")).isEqualTo(2551);
        assertThat(pekko.getBytes("remote.artery.advanced.maximum-frame-size")).isEqualTo(1 << 20);
        assertThat(pekko.getStringList("cluster.seed-nodes")).containsExactly("pekko://gpus@localhost:2551");
        assertThat(pekko.getStringList("cluster.roles")).containsExactly("launcher");
    }

    @Test
    void an_error_never_ends_the_embedders_process() {
        Config pekko = pekko();

        assertThat(pekko.getBoolean("jvm-exit-on-fatal-error")).isFalse();
        assertThat(pekko.getBoolean("coordinated-shutdown.exit-jvm")).isFalse();
    }

    @Test
    void what_the_user_writes_under_pekko_wins_over_what_tutti_prefers() {
        Config pekko = pekko("pekko.loglevel = DEBUG", "pekko.cluster.gossip-interval = 3s");

        assertThat(pekko.getString("loglevel")).isEqualTo("DEBUG");
        assertThat(pekko.getDuration("cluster.gossip-interval")).isEqualTo(Duration.ofSeconds(3));
        assertThat(pekko.getDuration("cluster.leader-actions-interval")).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void what_follows_from_tuttis_settings_cannot_be_contradicted() {
        assertThat(ConfigText.mistakesOf(() -> pekko(
                        "pekko.remote.artery.canonical.hostname = \"0.0.0.0\"",
                        "pekko.cluster.seed-nodes = [\"pekko://tutti@127.0.0.1:1\"]",
                        "pekko.actor.provider = local")))
                .containsExactly(
                        "test:3: pekko.actor.provider is local, but Tutti makes it cluster; leave it out, and use the"
                                + " settings under tutti.cluster",
                        "test:2: pekko.cluster.seed-nodes is [\"pekko://tutti@127.0.0.1:1\"], but Tutti makes it [];"
                                + " leave it out, and use the settings under tutti.cluster",
                        "test:1: pekko.remote.artery.canonical.hostname is 0.0.0.0, but Tutti makes it 127.0.0.1; leave"
                                + " it out, and use the settings under tutti.cluster");
    }

    @Test
    void the_same_as_tuttis_settings_say_may_be_written_twice() {
        Config pekko = pekko(
                "pekko.actor.provider = cluster", "pekko.remote.artery.canonical { hostname = 127.0.0.1, port = 0 }");

        assertThat(pekko.getString("remote.artery.canonical.hostname")).isEqualTo("127.0.0.1");
    }

    @Test
    void a_default_that_the_user_chose_by_a_substitution_wins_too() {
        Config config = ConfigText.parse("pekko.cluster.gossip-interval = ${pekko.cluster.leader-actions-interval}");
        Config loaded = Substitutions.in(List.of(config))
                .relocate(config.withFallback(ConfigFactory.defaultReference()).resolve());

        assertThat(PekkoSettings.of(TuttiSettings.load(loaded, Map.of()), loaded)
                        .getDuration("pekko.cluster.gossip-interval"))
                .isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void encryption_that_the_user_configured_stays_on() {
        assertThat(pekko("pekko.remote.artery.transport = tls-tcp").getString("remote.artery.transport"))
                .isEqualTo("tls-tcp");
    }

    @Test
    void short_intervals_are_for_the_loopback_interface_only() {
        Config pekko = pekko("tutti.cluster.host = gpu-host-1", "tutti.security.insecure = true");

        assertThat(pekko.getDuration("cluster.gossip-interval")).isEqualTo(Duration.ofSeconds(1));
        assertThat(pekko.getString("cluster.downing-provider-class")).endsWith("SplitBrainResolverProvider");
    }

    /** A misspelt key would be ignored by Pekko without a word. */
    @Test
    void every_preferred_key_is_one_that_pekko_knows() {
        Config reference = ConfigFactory.defaultReference();
        for (String file : List.of("pekko.conf", "pekko-loopback.conf", "profiles/ci.conf")) {
            Config preferred = ConfigFactory.parseResources(
                    "io/tutti/config/" + file, ConfigParseOptions.defaults().setAllowMissing(false));
            Set<String> unknown = preferred.entrySet().stream()
                    .map(Map.Entry::getKey)
                    .filter(key -> key.startsWith("pekko") && !reference.hasPathOrNull(key))
                    .collect(Collectors.toSet());
            assertThat(unknown).as(file).isEmpty();
        }
    }

    @Test
    void a_cluster_of_one_is_up_by_joining_itself() throws Exception {
        Config config = ConfigText.parse().withFallback(ConfigFactory.defaultReference());
        TuttiSettings settings = TuttiSettings.load(config, Map.of());
        ActorSystem system = ActorSystem.create(settings.cluster().name(), PekkoSettings.of(settings, config));
        try {
            CompletableFuture<Boolean> up = new CompletableFuture<>();
            Cluster cluster = Cluster.get(system);
            cluster.registerOnMemberUp(() -> up.complete(true));
            cluster.join(cluster.selfAddress());
            assertThat(up.get(20, TimeUnit.SECONDS)).isTrue();
            assertThat(system.dispatchers().hasDispatcher(PekkoSettings.RANK_DISPATCHER))
                    .isTrue();
        } finally {
            CoordinatedShutdown.get(system)
                    .runAll(CoordinatedShutdown.unknownReason())
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
        }
    }

    private static Config pekko(String... lines) {
        Config config = ConfigText.parse(lines).withFallback(ConfigFactory.defaultReference());
        return PekkoSettings.of(TuttiSettings.load(config, Map.of()), config.resolve())
                .getConfig("pekko");
    }
}
