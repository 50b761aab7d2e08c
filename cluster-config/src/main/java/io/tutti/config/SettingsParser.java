package io.tutti.config;

import static io.tutti.config.ValueKind.duration;
import static io.tutti.config.ValueKind.flag;
import static io.tutti.config.ValueKind.integer;
import static io.tutti.config.ValueKind.memory;
import static io.tutti.config.ValueKind.oneOf;
import static io.tutti.config.ValueKind.text;

import com.typesafe.config.ConfigObject;
import io.tutti.gpu.Algorithm;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.cuda.CudaBinding;
import io.tutti.gpu.host.fault.FaultPlan;
import io.tutti.gpu.plan.PathPlanner;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads {@code tutti} key by key. Each value is judged by itself here; {@link SettingsRules} judges how they go together.
 */
final class SettingsParser {

    private static final ValueKind<Duration> TIMEOUT = duration(Duration.ofMillis(1), Duration.ofHours(24));
    private static final ValueKind<Long> MEMORY = memory(1L << 20, 1L << 40);
    private static final ValueKind<String> HOST = text("a host name or an address", HostPort::isHost);
    private static final ValueKind<String> SEED = text("host:port, with a port from 1 to 65535", HostPort::isHostPort);
    private static final ValueKind<String> TOPOLOGY =
            text("the name or the file of a topology", name -> !name.isBlank());
    private static final ValueKind<String> NAME = text(
            "a name of letters, digits, - and _ that begins with a letter or digit",
            name -> name.matches("[A-Za-z0-9][A-Za-z0-9_-]*"));

    private static final ValueKind<PathKind> PATH = oneOf(
                    PathPlanner.paths().toArray(PathKind[]::new), PathKind::wireName)
            .saying(", the paths of this build");

    private static final ValueKind<String> ROLE = text(
            "a role's name, or an empty text for every member",
            name -> name.isEmpty() || name.matches("[A-Za-z0-9][A-Za-z0-9_-]*"));

    private final Reading reading;
    private final Section root;

    SettingsParser(Reading reading, ConfigObject tutti, ConfigObject reference) {
        this.reading = reading;
        this.root = new Section(reading, Keys.ROOT, tutti, reference);
    }

    TuttiSettings parse(Map<String, String> environment) {
        Duration operation = operation(root.section("operation"));
        Set<PathKind> written = Set.copyOf(root.readSet("paths", PATH, false));
        Map<PathKind, String> forbidden = PathBans.of(written, reading, environment);
        Section devices = root.section("devices");
        Section security = root.section("security");
        Section epoch = root.section("epoch");
        TuttiSettings settings = new TuttiSettings(
                root.read("driver", oneOf(DriverChoice.values(), DriverChoice::wireName)),
                root.read("topology", TOPOLOGY),
                hostDriver(root.section("host-driver")),
                cuda(root.section("cuda")),
                cluster(root.section("cluster")),
                new CommunicatorsParser(reading, root).parse(),
                PathBans.allowed(forbidden),
                forbidden,
                Set.copyOf(root.readSet("handle-kinds", oneOf(HandleKind.values(), HandleKind::wireName), false)),
                root.read(
                        "algorithm",
                        oneOf(Algorithm.values(), Algorithm::wireName).orAuto()),
                workspace(root.section("workspace")),
                stages(epoch.section("stage-timeout"), operation),
                epoch.read("probe-factor", integer(2, 1_000_000)),
                operation,
                heartbeat(root.section("heartbeat")),
                close(root.section("close"), operation),
                devices.read("allow-sharing", flag()),
                inject(),
                security.read("insecure", flag()));
        epoch.refuseTheRest();
        devices.refuseTheRest();
        security.refuseTheRest();
        root.readElsewhere("rank-dispatcher");
        root.refuseTheRest();
        return settings;
    }

    /** The rules' own parser judges them, and its words say which part is wrong. */
    private List<String> inject() {
        return root.readList("inject", text("rules as text", rule -> true), rule -> {
            try {
                FaultPlan.parse(List.of(rule));
                return Optional.empty();
            } catch (TuttiException e) {
                return Optional.of(e.info());
            }
        });
    }

    private static HostDriverSettings hostDriver(Section section) {
        Optional<Integer> devices = section.read(
                "devices", integer(1, CommunicatorSettings.MAX_WORLD_SIZE).orAuto());
        Optional<Long> memory = section.read("memory-per-device", MEMORY.orAuto());
        boolean bindThreads = section.read("bind-threads", flag());
        section.refuseTheRest();
        return new HostDriverSettings(
                devices.map(OptionalInt::of).orElseGet(OptionalInt::empty), optional(memory), bindThreads);
    }

    private static CudaBinding cuda(Section section) {
        CudaBinding binding = section.read("binding", oneOf(CudaBinding.values(), CudaBinding::wireName));
        section.refuseTheRest();
        return binding;
    }

    private static ClusterSettings cluster(Section section) {
        ClusterSettings cluster = new ClusterSettings(
                section.read("name", NAME),
                section.read("host", HOST),
                section.read("port", integer(0, 65535)),
                section.readSet("seed-nodes", SEED, true),
                section.readSet("roles", NAME, true),
                Optional.of(section.read("coordinator-role", ROLE)).filter(role -> !role.isEmpty()),
                section.read("form-timeout", TIMEOUT),
                Math.toIntExact(section.read("frame-size", memory(32 << 10, 8 << 20))));
        section.refuseTheRest();
        return cluster;
    }

    private static OptionalLong workspace(Section section) {
        Optional<Long> size = section.read("size", MEMORY.orAuto());
        section.refuseTheRest();
        return optional(size);
    }

    private static Duration operation(Section section) {
        Duration timeout = section.read("timeout", TIMEOUT);
        section.refuseTheRest();
        return timeout;
    }

    private static StageTimeouts stages(Section section, Duration operation) {
        Map<String, Duration> timeouts = new LinkedHashMap<>();
        for (String stage : StageTimeouts.STAGES) {
            timeouts.put(
                    stage,
                    stage.equals("quiesce")
                            ? section.read(stage, TIMEOUT.orAuto()).orElse(operation.plusSeconds(10))
                            : section.read(stage, TIMEOUT));
        }
        section.refuseTheRest();
        return new StageTimeouts(timeouts);
    }

    private static HeartbeatSettings heartbeat(Section section) {
        HeartbeatSettings heartbeat = new HeartbeatSettings(section.read("interval", TIMEOUT));
        section.refuseTheRest();
        return heartbeat;
    }

    private static Duration close(Section section, Duration operation) {
        Duration timeout = section.read("timeout", TIMEOUT.orAuto()).orElse(operation.plusSeconds(20));
        section.refuseTheRest();
        return timeout;
    }

    private static OptionalLong optional(Optional<Long> value) {
        return value.map(OptionalLong::of).orElseGet(OptionalLong::empty);
    }
}
