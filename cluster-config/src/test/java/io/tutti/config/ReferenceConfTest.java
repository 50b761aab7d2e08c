package io.tutti.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds {@code reference.conf}, its comments and the typed settings together. */
final class ReferenceConfTest {

    private static final ConfigObject TUTTI = ConfigFactory.defaultReference().getObject("tutti");

    /** A group of settings may be self-explanatory; a setting never is. */
    @Test
    void every_setting_has_a_comment() {
        List<String> silent = new ArrayList<>();
        collectSilent("tutti", TUTTI, silent);
        assertThat(silent).isEmpty();
    }

    /** A key that nobody asked for would be reported as unknown; so would a key that a Pekko dispatcher does not have. */
    @Test
    void every_setting_is_read() {
        assertThat(TuttiSettings.load(ConfigFactory.empty(), Map.of()).communicators())
                .hasSize(1);
        assertThat(TUTTI.toConfig().getConfig("rank-dispatcher").root().unwrapped())
                .isEqualTo(Map.of(
                        "type",
                        "PinnedDispatcher",
                        "executor",
                        "thread-pool-executor",
                        "thread-pool-executor",
                        Map.of("allow-core-timeout", "off")));
    }

    @Test
    void the_typed_defaults_are_those_of_the_file() {
        TuttiSettings typed = TuttiSettings.load(ConfigFactory.empty(), Map.of());
        Config written = TUTTI.toConfig();

        assertThat(typed.driver().wireName()).isEqualTo(written.getString("driver"));
        assertThat(typed.cudaBinding().wireName()).isEqualTo(written.getString("cuda.binding"));
        assertThat(typed.topology()).isEqualTo(written.getString("topology"));
        assertThat(typed.cluster())
                .isEqualTo(new ClusterSettings(
                        written.getString("cluster.name"),
                        written.getString("cluster.host"),
                        written.getInt("cluster.port"),
                        written.getStringList("cluster.seed-nodes"),
                        written.getStringList("cluster.roles"),
                        java.util.Optional.of(written.getString("cluster.coordinator-role"))
                                .filter(role -> !role.isEmpty()),
                        written.getDuration("cluster.form-timeout"),
                        Math.toIntExact(written.getBytes("cluster.frame-size"))));
        assertThat(typed.communicators().get(0).worldSize())
                .isEqualTo(written.getInt("communicator-defaults.world-size"));
        assertThat(typed.paths()).extracting(path -> path.wireName()).isEqualTo(written.getStringList("paths"));
        assertThat(typed.handleKinds())
                .extracting(kind -> kind.wireName())
                .isEqualTo(written.getStringList("handle-kinds"));
        assertThat(typed.operationTimeout()).isEqualTo(written.getDuration("operation.timeout"));
        assertThat(typed.heartbeat().interval()).isEqualTo(written.getDuration("heartbeat.interval"));
        assertThat(typed.shareDevices()).isEqualTo(written.getBoolean("devices.allow-sharing"));
        assertThat(typed.inject()).isEqualTo(written.getStringList("inject"));
        assertThat(typed.insecure()).isEqualTo(written.getBoolean("security.insecure"));
        StageTimeouts.STAGES.stream()
                .filter(stage -> !stage.equals("quiesce"))
                .forEach(stage -> assertThat(typed.stageTimeouts().of(stage))
                        .as(stage)
                        .isEqualTo(written.getDuration("epoch.stage-timeout." + stage)));
    }

    @Test
    void what_is_auto_is_what_its_comment_says() {
        TuttiSettings typed = TuttiSettings.load(ConfigFactory.empty(), Map.of());

        assertThat(autoKeys("tutti", TUTTI))
                .containsExactlyInAnyOrder(
                        "tutti.driver",
                        "tutti.cuda.binding",
                        "tutti.host-driver.devices",
                        "tutti.host-driver.memory-per-device",
                        "tutti.algorithm",
                        "tutti.workspace.size",
                        "tutti.epoch.stage-timeout.quiesce",
                        "tutti.close.timeout");
        assertThat(typed.hostDriver().devices()).isEmpty();
        assertThat(typed.hostDriver().memoryPerDeviceBytes()).isEmpty();
        assertThat(typed.algorithm()).isEmpty();
        assertThat(typed.workspaceBytes()).isEmpty();
        Duration operation = typed.operationTimeout();
        assertThat(typed.stageTimeouts().of("quiesce")).isEqualTo(operation.plusSeconds(10));
        assertThat(typed.closeTimeout()).isEqualTo(operation.plusSeconds(20));
    }

    @Test
    void every_stage_has_a_timeout_in_the_file() {
        assertThat(TUTTI.toConfig().getObject("epoch.stage-timeout").keySet())
                .isEqualTo(new TreeSet<>(StageTimeouts.STAGES));
    }

    /** A unit or a range in the comment of every number, so that nobody has to guess. */
    @Test
    void every_comment_of_a_number_says_its_unit_or_its_range() {
        Stream.of("cluster.port", "cluster.frame-size", "communicator-defaults.world-size", "workspace.size")
                .forEach(key -> assertThat(comment(TUTTI.toConfig().getValue(key)))
                        .as(key)
                        .containsPattern("\\d+( \\w+)? to \\d+"));
        Stream.of("cluster.form-timeout", "operation.timeout", "heartbeat.interval", "close.timeout")
                .forEach(key -> assertThat(comment(TUTTI.toConfig().getValue(key)))
                        .as(key)
                        .contains("duration"));
    }

    private static void collectSilent(String path, ConfigObject object, List<String> silent) {
        object.forEach((key, value) -> {
            if (value instanceof ConfigObject inner && !inner.isEmpty()) {
                collectSilent(path + "." + key, inner, silent);
            } else if (comment(value).isBlank()) {
                silent.add(path + "." + key);
            }
        });
    }

    private static List<String> autoKeys(String path, ConfigObject object) {
        List<String> keys = new ArrayList<>();
        object.forEach((key, value) -> {
            if (value instanceof ConfigObject inner) {
                keys.addAll(autoKeys(path + "." + key, inner));
            } else if ("auto".equals(value.unwrapped())) {
                keys.add(path + "." + key);
            }
        });
        return keys;
    }

    private static String comment(ConfigValue value) {
        return value.origin().comments().stream().map(String::strip).collect(Collectors.joining(" "));
    }
}
