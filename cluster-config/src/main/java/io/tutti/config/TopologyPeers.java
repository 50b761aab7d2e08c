package io.tutti.config;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Reads which devices of a host reach each other. */
final class TopologyPeers {

    private static final String KEY = "peers";

    private final Reading reading;
    private final Section host;

    TopologyPeers(Reading reading, Section host) {
        this.reading = reading;
        this.host = host;
    }

    /** For each device the others that it reaches. */
    List<Set<Integer>> of(int devices) {
        ConfigValue value = host.value(KEY);
        List<Set<Integer>> peers = new ArrayList<>();
        IntStream.range(0, devices).forEach(device -> peers.add(new HashSet<>()));
        if ("all".equals(value.unwrapped())) {
            connect(peers, IntStream.range(0, devices).boxed().toList());
        } else if (value instanceof ConfigList groups) {
            groups.forEach(group -> connect(peers, members(group, devices)));
        } else if (!"none".equals(value.unwrapped())) {
            refuse(value, devices);
        }
        return peers;
    }

    private static void connect(List<Set<Integer>> peers, List<Integer> group) {
        for (int one : group) {
            for (int other : group) {
                if (one != other) {
                    peers.get(one).add(other);
                }
            }
        }
    }

    private List<Integer> members(ConfigValue group, int devices) {
        List<Integer> members = new ArrayList<>();
        if (!(group instanceof ConfigList list)) {
            refuse(group, devices);
            return members;
        }
        for (ConfigValue element : list) {
            ValueKind.integer(0, devices - 1)
                    .parse(element)
                    .ifPresentOrElse(members::add, () -> refuse(element, devices));
        }
        return members;
    }

    private void refuse(ConfigValue value, int devices) {
        reading.mistake(
                host.fullKey(KEY),
                value.origin(),
                "contains " + Reading.written(value),
                "allowed: all, none, or groups of the ordinals 0 to " + (devices - 1) + " such as [[0, 1]]");
    }
}
