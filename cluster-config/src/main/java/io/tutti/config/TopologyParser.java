package io.tutti.config;

import static io.tutti.config.ValueKind.flag;
import static io.tutti.config.ValueKind.integer;
import static io.tutti.config.ValueKind.memory;
import static io.tutti.config.ValueKind.oneOf;
import static io.tutti.config.ValueKind.text;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.FabricInfo;
import io.tutti.gpu.host.Topology;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** Reads a topology key by key. Mistakes are collected, so that all of a file are reported at once. */
final class TopologyParser {

    private static final String DRIVER_VERSION = "driver-version";
    private static final String HOSTS = "hosts";
    private static final String HOST = "host";
    private static final String DEVICE = "device";
    private static final String DEVICES = "devices";
    private static final int MOST_HOSTS = 72;
    private static final int MOST_DEVICES = 72;

    private static final ValueKind<String> NAME = text("a name", name -> !name.isBlank());
    private static final ValueKind<String> UUID_TEXT =
            text("a UUID as GPU-... or MIG-...", uuid -> uuid.matches("(GPU|MIG)-[0-9A-Za-z-]{1,60}"));
    private static final ValueKind<String> PCI = text(
            "a PCI address such as 0000:1b:00.0",
            address -> address.matches("[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]"));
    private static final ValueKind<String> CLUSTER = text(
            "a UUID",
            uuid -> uuid.matches("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"));
    private static final ValueKind<String> STATE = text(
            "completed, in-progress, not-started, not-supported",
            state -> Set.of("completed", "in-progress", "not-started", "not-supported")
                    .contains(state));
    private static final ValueKind<String> HEALTH = text(
            "unknown, healthy, or a trouble's name such as degraded-bandwidth", health -> health.matches("[a-z,-]+"));
    /** Bytes a second. */
    private static final ValueKind<Long> RATE = memory(1 << 20, 1L << 40);

    /** Slower than promised, but not so slow that a probe's few copies outlast its stage. */
    private static final ValueKind<Long> REAL_RATE = memory(1 << 18, 1L << 40);

    private static final ValueKind<Long> GRANULARITY = new ValueKind<>(
            "a power of two from 4 KiB to 1 GiB, such as 2 MiB",
            value -> memory(4 << 10, 1 << 30).parse(value).filter(bytes -> Long.bitCount(bytes) == 1));

    private final Reading reading = new Reading();
    private final Config defaults;
    private final String name;
    private final OptionalLong memoryPerDevice;

    TopologyParser(Config defaults, String name, OptionalLong memoryPerDevice) {
        this.defaults = defaults;
        this.name = name;
        this.memoryPerDevice = memoryPerDevice;
    }

    /** @throws ConfigurationException with all mistakes */
    Topology parse(Config config) {
        Section root = new Section(reading, name, config.root(), defaults.root());
        int version = root.read(DRIVER_VERSION, integer(1000, 99_990));
        List<Topology.Host> hosts = new ArrayList<>();
        for (ConfigObject host : objects(root, HOSTS, MOST_HOSTS)) {
            hosts.add(host(hosts.size(), host));
        }
        refuseSlips(config.root());
        if (!reading.mistakes().isEmpty()) {
            throw new ConfigurationException(reading.mistakes());
        }
        return new Topology(name, version, hosts);
    }

    /** Other keys are the file's own definitions, unless they look like a key that was meant. */
    private void refuseSlips(ConfigObject root) {
        List<String> known = List.of(DRIVER_VERSION, HOSTS);
        root.forEach((key, value) -> {
            if (!known.contains(key) && !key.equals(HOST)) {
                NearestName.among(known, key)
                        .ifPresent(meant -> reading.mistake(
                                name + "." + key, value.origin(), "is no setting", "did you mean " + meant + "?"));
            }
        });
    }

    private Topology.Host host(int ordinal, ConfigObject written) {
        Section host =
                new Section(reading, name + "." + HOSTS + "[" + ordinal + "]", written, defaults.getObject(HOST));
        Topology.Multicast multicast = multicast(host.section("multicast"));
        FabricInfo fabric = fabric(host.section("fabric"));
        List<ConfigObject> devices = objects(host, DEVICES, MOST_DEVICES);
        List<Set<Integer>> peers = new TopologyPeers(reading, host).of(devices.size());
        List<Topology.Device> all = new ArrayList<>();
        for (ConfigObject device : devices) {
            all.add(device(host, ordinal, all.size(), device, fabric, peers.get(all.size())));
        }
        Topology.Host made = new Topology.Host(
                host.read("name", NAME.orAuto()).orElse("node-" + ordinal),
                host.read("imex-channel", flag()),
                host.read("allocation-granularity", GRANULARITY),
                multicast,
                host.read(
                        "confidential-computing",
                        oneOf(ConfidentialComputing.values(), ConfidentialComputing::wireName)),
                all);
        host.refuseTheRest();
        return made;
    }

    private static Topology.Multicast multicast(Section section) {
        CuResult result = section.read("result", oneOf(CuResult.values(), CuResult::name));
        Topology.Multicast written = new Topology.Multicast(
                result,
                section.read("granularity", GRANULARITY),
                section.read("slots", integer(0, Topology.Multicast.SLOTS)),
                section.read("fabric-manager", oneOf(Topology.FabricManager.values(), TopologyParser::word)),
                section.read("stores", oneOf(Topology.Stores.values(), TopologyParser::word)));
        section.refuseTheRest();
        return result == CuResult.CUDA_SUCCESS ? written : Topology.Multicast.refused(result);
    }

    /** A constant as a setting spells it. */
    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static FabricInfo fabric(Section section) {
        FabricInfo fabric = new FabricInfo(
                section.read("cluster", CLUSTER),
                section.read("clique", integer(0, Integer.MAX_VALUE)),
                section.read("state", STATE),
                section.read("health", HEALTH));
        section.refuseTheRest();
        return fabric;
    }

    private Topology.Device device(
            Section host, int hostOrdinal, int ordinal, ConfigObject written, FabricInfo fabric, Set<Integer> peers) {
        Section device =
                new Section(reading, host.fullKey(DEVICES) + "[" + ordinal + "]", written, defaults.getObject(DEVICE));
        boolean mig = device.read("mig", flag());
        long memory = device.read("memory", memory(1L << 20, 1L << 40));
        int capability = device.read("compute-capability", integer(80, 129));
        DeviceIdentity identity = new DeviceIdentity(
                device.read("name", NAME),
                device.read("uuid", UUID_TEXT.orAuto()).orElseGet(() -> uuid(mig, hostOrdinal, ordinal)),
                device.read("pci-bus-id", PCI.orAuto()).orElseGet(() -> String.format("0000:%02x:00.0", ordinal)),
                memoryPerDevice.orElse(memory));
        Topology.Device made = new Topology.Device(
                identity,
                capability / 10,
                capability % 10,
                device.read("multiprocessors", integer(1, 1024)),
                mig,
                new Topology.Capabilities(
                        device.read("virtual-memory", flag()),
                        device.read("posix-fd", flag()),
                        device.read("fabric", flag()),
                        device.read("multicast", flag()),
                        device.read("legacy-ipc", flag())),
                fabric,
                link(device.section("link")),
                mig ? Set.of() : peers);
        device.refuseTheRest();
        return made;
    }

    private static Topology.Link link(Section section) {
        Topology.Link link = new Topology.Link(
                section.read("promised", RATE),
                section.read("real", REAL_RATE.orAuto()).map(OptionalLong::of).orElseGet(OptionalLong::empty));
        section.refuseTheRest();
        return link;
    }

    private String uuid(boolean mig, int host, int ordinal) {
        byte[] place = (name + " " + host + " " + ordinal).getBytes(StandardCharsets.UTF_8);
        return (mig ? "MIG-" : "GPU-") + UUID.nameUUIDFromBytes(place);
    }

    /** The objects of a list that may not be empty; a mistake stands for each other element. */
    private List<ConfigObject> objects(Section section, String key, int most) {
        ConfigValue value = section.valueOrNull(key);
        List<ConfigObject> objects = new ArrayList<>();
        if (!(value instanceof List<?> list) || list.isEmpty() || list.size() > most) {
            reading.mistake(
                    section.fullKey(key),
                    value == null ? section.origin() : value.origin(),
                    value == null ? "is missing" : "is " + Reading.written(value),
                    "allowed: a list of 1 to " + most + " objects");
            return objects;
        }
        for (Object element : list) {
            if (element instanceof ConfigObject object) {
                objects.add(object);
            } else if (element instanceof ConfigValue other) {
                reading.mistake(
                        section.fullKey(key),
                        other.origin(),
                        "contains " + Reading.written(other),
                        "allowed: objects, each with the settings of one");
            }
        }
        return objects;
    }
}
