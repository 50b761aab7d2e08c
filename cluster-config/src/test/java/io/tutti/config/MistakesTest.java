package io.tutti.config;

import static io.tutti.config.ConfigText.mistakes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each kind of mistake, with its place, key and remedy. */
final class MistakesTest {

    @Test
    void an_unknown_key_suggests_the_nearest_one() {
        assertThat(mistakes("", "tutti.cluster.prot = 1"))
                .containsExactly("test:2: tutti.cluster.prot is no setting; did you mean tutti.cluster.port?");
    }

    @Test
    void an_unknown_key_that_resembles_nothing_lists_the_known_ones() {
        assertThat(mistakes("tutti.devices { colour = red }"))
                .containsExactly("test:1: tutti.devices.colour is no setting; allowed in tutti.devices: allow-sharing");
    }

    @Test
    void an_unknown_key_of_a_communicator_is_found() {
        assertThat(mistakes("tutti.communicators {", "  tp0 {", "    worldsize = 2", "  }", "}"))
                .containsExactly("test:3: tutti.communicators.tp0.worldsize is no setting;"
                        + " did you mean tutti.communicators.tp0.world-size?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "73", "-1", "2.5", "many", "true", "[4]", "{}", "99999999999999999999", "null"})
    void a_world_size_is_an_integer_from_1_to_72(String value) {
        String found = value.equals("null") ? "has no value" : "is " + value;
        assertThat(mistakes("tutti.communicators.tp0.world-size = " + value))
                .containsExactly(
                        "test:1: tutti.communicators.tp0.world-size " + found + "; allowed: an integer from 1 to 72");
    }

    @Test
    void a_rank_outside_of_the_world_is_found_where_it_is_written() {
        assertThat(mistakes(
                        "tutti.communicators.tp0 {", "  world-size = 4", "  ranks = [", "    3,", "    4", "  ]", "}"))
                .containsExactly("test:5: tutti.communicators.tp0.ranks contains 4;"
                        + " allowed: all, or a list such as [0, 1] of ranks from 0 to 3, since world-size=4");
    }

    @Test
    void a_rank_that_is_listed_twice_is_found() {
        assertThat(mistakes("tutti.communicators.tp0.ranks = [0, 1, 0]"))
                .containsExactly("test:1: tutti.communicators.tp0.ranks contains 0 twice; allowed: each at most once");
    }

    @Test
    void a_bad_world_size_does_not_cause_a_second_message_about_ranks() {
        assertThat(mistakes("tutti.communicators.tp0 { world-size = 100, ranks = [71] }"))
                .hasSize(1);
    }

    @Test
    void ranks_are_all_or_a_list() {
        assertThat(mistakes("tutti.communicators.tp0.ranks = some"))
                .singleElement()
                .asString()
                .contains("is some");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65536", "http"})
    void a_port_is_an_integer_from_0_to_65535(String value) {
        assertThat(mistakes("tutti.cluster.port = " + value))
                .containsExactly("test:1: tutti.cluster.port is " + value + "; allowed: an integer from 0 to 65535");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tutti.driver = rocm | tutti.driver is rocm; allowed: auto, cuda, host",
                "tutti.cuda.binding = jni | tutti.cuda.binding is jni; allowed: auto, jna, jcuda",
                "tutti.algorithm = ring | tutti.algorithm is ring; allowed: auto, or one-shot, two-shot",
                "tutti.paths = [p2p, staged] | tutti.paths contains staged; allowed: nvls, p2p, the paths of this build",
                "tutti.paths = [p2p, ib] | tutti.paths contains ib; allowed: nvls, p2p, the paths of this build",
                "tutti.handle-kinds = [fd] | tutti.handle-kinds contains fd; allowed: in-process, posix-fd, fabric, legacy-ipc",
                "tutti.paths = [] | tutti.paths is empty; allowed: at least one of nvls, p2p, the paths of this build",
                "tutti.paths = p2p | tutti.paths is p2p; allowed: a list [...] of nvls, p2p, the paths of this build",
                "tutti.devices.allow-sharing = maybe | tutti.devices.allow-sharing is maybe; allowed: true or false",
                "tutti.topology = \" \" | tutti.topology is \" \"; allowed: the name or the file of a topology",
                "tutti.cluster.name = \"a b\" | tutti.cluster.name is a b; allowed: a name of letters, digits, - and _ that begins with a letter or digit",
                "tutti.cluster = 5 | tutti.cluster is 5; allowed: an object with settings, such as cluster { ... }",
                "tutti.cluster.seed-nodes = [nowhere] | tutti.cluster.seed-nodes contains nowhere; allowed: host:port, with a port from 1 to 65535",
                "tutti.cluster.host = \"a b\" | tutti.cluster.host is a b; allowed: a host name or an address",
                "tutti = 5 | tutti is 5; allowed: an object with settings, such as tutti { ... }"
            })
    void a_wrong_value_says_what_is_allowed(String line, String message) {
        assertThat(mistakes("", line)).containsExactly("test:2: " + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "\"5\"", "-5 s", "0 s", "25 h", "soon", "5 min", "[1]"})
    void a_duration_has_a_unit_and_a_range(String value) {
        assertThat(mistakes("tutti.epoch.stage-timeout.fill = " + value))
                .singleElement()
                .asString()
                .startsWith("test:1: tutti.epoch.stage-timeout.fill is " + value.replace("\"", ""))
                .endsWith("allowed: a duration from 1 ms to 24 h with its unit, such as 5 s or 200 ms");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1000 KiB", "2 TiB", "9223372036854775808", "1 ZiB", "big"})
    void a_workspace_has_a_range(String value) {
        assertThat(mistakes("tutti.workspace.size = " + value))
                .containsExactly("test:1: tutti.workspace.size is " + value
                        + "; allowed: auto, or a size from 1 MiB to 1 TiB, such as 64 MiB");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "10.1.2.3", "gpu-host-1", "\"::\""})
    void binding_off_the_loopback_interface_must_be_wanted(String host) {
        String name = host.replace("\"", "");
        assertThat(mistakes("tutti.cluster.host = " + (name.equals("::") ? host : "\"" + host + "\"")))
                .containsExactly(
                        "test:1: tutti.cluster.host is " + name + ", which other machines can reach, and cluster"
                                + " traffic is not encrypted; bind to 127.0.0.1, or accept the risk in writing with"
                                + " tutti.security.insecure = true");
        assertThat(ConfigText.settings("tutti.cluster.host = \"" + name + "\"", "tutti.security.insecure = true")
                        .insecure())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"})
    void binding_to_the_loopback_interface_is_free(String host) {
        assertThat(ConfigText.settings("tutti.cluster.host = \"" + host + "\"")
                        .cluster()
                        .onLoopback())
                .isTrue();
    }

    @Test
    void timeouts_in_the_wrong_order_are_shown_side_by_side() {
        assertThat(mistakes("tutti.operation.timeout = 40 s", "tutti.close.timeout = 30000 ms"))
                .containsExactly("test:1: tutti.operation.timeout contradicts another timeout:"
                        + " tutti.operation.timeout=40 s is not shorter than tutti.close.timeout=30000 ms;"
                        + " closing waits for the operations that still run");
    }

    @Test
    void a_timeout_that_contradicts_a_default_is_shown_where_it_is_written() {
        assertThat(mistakes("tutti.close.timeout = 10 s", "tutti.epoch.stage-timeout.quiesce = 1 s"))
                .containsExactlyInAnyOrder(
                        "test:2: tutti.epoch.stage-timeout.quiesce contradicts another timeout:"
                                + " tutti.operation.timeout=10 s is not shorter than tutti.epoch.stage-timeout.quiesce=1 s;"
                                + " a stream must be allowed to outlast the kernel that it waits for",
                        "test:1: tutti.close.timeout contradicts another timeout: tutti.operation.timeout=10 s is not"
                                + " shorter than tutti.close.timeout=10 s; closing waits for the operations that still run");
    }

    @Test
    void a_heartbeat_must_come_before_the_others_stop_waiting() {
        assertThat(mistakes("tutti.heartbeat.interval = 1 m"))
                .containsExactly("test:1: tutti.heartbeat.interval contradicts another timeout:"
                        + " tutti.heartbeat.interval=1 m is not shorter than tutti.cluster.form-timeout=60 s;"
                        + " a rank must say hello before the others stop waiting for it");
    }

    @Test
    void a_bad_rule_of_a_fault_is_found_where_it_is_written_with_its_parsers_words() {
        assertThat(mistakes(
                        "tutti.inject = [",
                        "  \"call=cuMemCreate result=CUDA_ERROR_OUT_OF_MEMORY\"",
                        "  \"rank=x\"",
                        "]"))
                .singleElement()
                .asString()
                .startsWith("test:3: tutti.inject has a bad element: fault rule is not valid: rule='rank=x'")
                .contains("; Write a rule as 'rank=2 call=cuMemCreate");
    }

    @Test
    void the_same_rule_may_be_given_twice() {
        String rule = "\"call=cuMemCreate result=CUDA_ERROR_OUT_OF_MEMORY times=1\"";
        assertThat(ConfigText.settings("tutti.inject = [" + rule + ", " + rule + "]")
                        .inject())
                .hasSize(2);
    }

    @Test
    void whatOnlyTheHostDriverEmulatesContradictsTheDriverCuda() {
        assertThat(mistakes(
                        "tutti.driver = cuda",
                        "tutti.topology = h200-2",
                        "tutti.inject = [\"call=cuMemCreate result=CUDA_ERROR_OUT_OF_MEMORY\"]"))
                .containsExactly(
                        "test:2: tutti.topology needs the host driver, which alone emulates, but tutti.driver=cuda;"
                                + " leave it out, or use the driver host",
                        "test:3: tutti.inject needs the host driver, which alone emulates, but tutti.driver=cuda;"
                                + " leave it out, or use the driver host");
    }

    @Test
    void too_few_devices_for_the_ranks_are_found() {
        assertThat(mistakes("tutti.host-driver.devices = 2"))
                .containsExactly(
                        "test:1: tutti.host-driver.devices is too small: tutti.host-driver.devices=2 is less than"
                                + " the 4 ranks that communicator tp0 has in this process; use at least one device per rank");
    }

    @Test
    void only_the_topology_local_lets_one_choose_the_number_of_devices() {
        assertThat(mistakes("tutti.topology = h200-8", "tutti.host-driver.devices = 8"))
                .containsExactly(
                        "test:2: tutti.host-driver.devices contradicts tutti.topology=h200-8, which has devices"
                                + " of its own; leave it at auto, or use the topology local");
    }

    @Test
    void a_workspace_larger_than_the_device_is_found() {
        assertThat(mistakes("tutti.workspace.size = 2 GiB", "tutti.host-driver.memory-per-device = 1 GiB"))
                .containsExactly("test:1: tutti.workspace.size is too large: tutti.workspace.size=2 GiB is more than"
                        + " tutti.host-driver.memory-per-device=1 GiB; use a smaller workspace, or auto");
    }

    @Test
    void a_path_that_only_the_environment_forbids_is_named_with_the_variable() {
        assertThat(ConfigText.mistakesOf(() ->
                        TuttiSettings.load(ConfigText.parse("tutti.paths = [nvls]"), Map.of("NCCL_NVLS_ENABLE", "0"))))
                .containsExactly("test:1: tutti.paths allows nvls only, which NCCL_NVLS_ENABLE=0 in the environment"
                        + " forbids; allow another path too, or take the variable out of the environment");
    }

    @Test
    void an_unresolved_substitution_is_found_where_it_is_written() {
        assertThat(mistakes("", "tutti.topology = ${nowhere}"))
                .singleElement()
                .asString()
                .startsWith("test:2: ")
                .contains("${nowhere}");
    }

    @Test
    void all_mistakes_are_reported_at_once() {
        String[] lines = {
            "tutti {",
            "  driver = rocm",
            "  cluster.port = 70000",
            "  cluster.hots = x",
            "  communicators.tp0 { world-size = 0 }",
            "  paths = [p2p, p2p, tcp]",
            "  operation.timeout = 5",
            "  wat = 1",
            "}"
        };

        assertThat(mistakes(lines))
                .hasSize(8)
                .satisfiesExactly(
                        text -> assertThat(text).startsWith("test:2: tutti.driver is rocm"),
                        text -> assertThat(text).startsWith("test:3: tutti.cluster.port is 70000"),
                        text -> assertThat(text).startsWith("test:4: tutti.cluster.hots is no setting"),
                        text -> assertThat(text).startsWith("test:5: tutti.communicators.tp0.world-size is 0"),
                        text -> assertThat(text).startsWith("test:6: tutti.paths contains p2p twice"),
                        text -> assertThat(text).startsWith("test:6: tutti.paths contains tcp"),
                        text -> assertThat(text).startsWith("test:7: tutti.operation.timeout is 5"),
                        text -> assertThat(text).startsWith("test:8: tutti.wat is no setting"));
        assertThatThrownBy(() -> ConfigText.settings(lines))
                .hasMessageStartingWith("the configuration has 8 mistakes:\n  test:2: ")
                .hasMessageEndingWith("Correct each of them");
    }

    @Test
    void a_mistake_that_only_the_user_of_a_setting_can_judge_has_its_place_too() {
        assertThat(ConfigurationException.at(
                        ConfigText.parse("", "tutti.topology = moon"), "tutti.topology", "is moon", "allowed: local"))
                .hasMessage("test:2: tutti.topology is moon. Allowed: local");
        assertThat(ConfigurationException.at(ConfigText.parse(), "tutti.topology", "is missing", "add it"))
                .hasMessage("configuration: tutti.topology is missing. Add it");
    }

    @Test
    void a_single_mistake_is_one_sentence_and_its_remedy() {
        assertThatThrownBy(() -> ConfigText.settings("tutti.cluster.port = 70000"))
                .hasMessage("test:1: tutti.cluster.port is 70000. Allowed: an integer from 0 to 65535");
    }

    @Test
    void a_fault_for_a_rank_that_no_communicator_has_would_never_apply() {
        String rule = "tutti.inject = [\"rank=9 call=cuMemCreate result=CUDA_ERROR_UNKNOWN\"]";
        assertThat(mistakes(rule))
                .singleElement()
                .asString()
                .startsWith("test:1: tutti.inject names a rank that no communicator has")
                .contains("rank=9")
                .endsWith("allowed: rank=0 to rank=3, or no rank for all");
        assertThat(ConfigText.settings(rule, "tutti.communicators { a {}, b { world-size = 10 } }")
                        .inject())
                .hasSize(1);
    }

    @Test
    void a_setting_in_the_wrong_place_is_shown_the_right_one() {
        assertThat(mistakes("tutti.memory-per-device = 1 MiB"))
                .containsExactly("test:1: tutti.memory-per-device is no setting; did you mean"
                        + " tutti.host-driver.memory-per-device?");
        assertThat(mistakes("tutti.cluster.timeout = 1 s"))
                .singleElement()
                .asString()
                .endsWith("did you mean tutti.close.timeout or tutti.operation.timeout?");
    }
}
