package io.tutti.config;

import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Reads the communicators: what one of them leaves out comes from {@code communicator-defaults}. */
final class CommunicatorsParser {

    /** The communicator that exists when none is written down. */
    static final String DEFAULT_NAME = "tp0";

    private static final ValueKind<Integer> WORLD_SIZE = ValueKind.integer(1, CommunicatorSettings.MAX_WORLD_SIZE);
    private static final ValueKind<String> ALL = ValueKind.text("all", "all"::equals);

    private final Reading reading;
    private final Section root;

    CommunicatorsParser(Reading reading, Section root) {
        this.reading = reading;
        this.root = root;
    }

    List<CommunicatorSettings> parse() {
        Section defaults = root.section("communicator-defaults");
        int worldSize = defaults.read("world-size", WORLD_SIZE);
        List<Integer> ranks = ranks(defaults, worldSize);
        defaults.refuseTheRest();

        Section communicators = root.section("communicators");
        if (communicators.names().isEmpty()) {
            return List.of(new CommunicatorSettings(DEFAULT_NAME, worldSize, ranks));
        }
        List<CommunicatorSettings> result = new ArrayList<>();
        for (String name : communicators.names()) {
            if (!name.matches("[A-Za-z0-9][A-Za-z0-9_-]*")) {
                reading.mistake(
                        communicators.fullKey(name),
                        communicators.value(name).origin(),
                        "is a bad name",
                        "allowed: letters, digits, - and _, beginning with a letter or digit");
            }
            result.add(communicator(name, communicators.section(name), defaults, worldSize));
        }
        return result;
    }

    private CommunicatorSettings communicator(String name, Section section, Section defaults, int defaultWorldSize) {
        int worldSize = section.readOr("world-size", WORLD_SIZE, defaultWorldSize);
        boolean trusted = reading.allSound(section.fullKey("world-size"), defaults.fullKey("world-size"));
        int limit = trusted ? worldSize : CommunicatorSettings.MAX_WORLD_SIZE;
        section.readElsewhere("ranks");
        List<Integer> ranks = ranks(section.has("ranks") ? section : defaults, limit);
        section.refuseTheRest();
        return new CommunicatorSettings(name, worldSize, ranks);
    }

    /** The ranks of a world of that size that are hosted here, ascending. */
    private static List<Integer> ranks(Section section, int worldSize) {
        ConfigValue value = section.value("ranks");
        Optional<String> all = ALL.parse(value);
        if (all.isPresent()) {
            return IntStream.range(0, worldSize).boxed().toList();
        }
        ValueKind<Integer> member = ValueKind.integer(0, worldSize - 1);
        ValueKind<Integer> inThisWorld = new ValueKind<>(
                "all, or a list such as [0, 1] of ranks from 0 to " + (worldSize - 1) + ", since world-size="
                        + worldSize,
                member.parser());
        return section.readSet("ranks", inThisWorld, true).stream().sorted().toList();
    }
}
