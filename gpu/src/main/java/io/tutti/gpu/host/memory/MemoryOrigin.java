package io.tutti.gpu.host.memory;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which emulated device physical memory belongs to. It travels with the memory as the name of its memfd, so that another
 * process can apply the same rules.
 *
 * @param topology the topology's name
 * @param host ordinal of the emulated host in the topology
 * @param device ordinal of the device on its host, or {@link #MULTICAST} for the table of a multicast object
 * @param serial tells apart what one machine allocated
 */
public record MemoryOrigin(String topology, int host, int device, long serial) {

    /** In the place of a device: a multicast object belongs to a team of them. */
    public static final int MULTICAST = -2;

    private static final String MULTICAST_NAME = "multicast";
    private static final Pattern NAME =
            Pattern.compile("tutti:([^:]+):(\\d{1,9}):(\\d{1,9}|" + MULTICAST_NAME + "):([0-9a-f]{1,16})");

    /** The memfd's name. */
    public String fileName() {
        String place = isMulticast() ? MULTICAST_NAME : Integer.toString(device);
        return "tutti:" + topology + ":" + host + ":" + place + ":" + Long.toHexString(serial);
    }

    /** Reads {@link #fileName()} back from what {@code /proc} shows of a descriptor; empty for anything else. */
    public static Optional<MemoryOrigin> parse(String procName) {
        Matcher matcher = NAME.matcher(procName);
        if (!procName.startsWith("/memfd:") || !matcher.find()) {
            return Optional.empty();
        }
        return Optional.of(new MemoryOrigin(
                matcher.group(1),
                Integer.parseInt(matcher.group(2)),
                matcher.group(3).equals(MULTICAST_NAME) ? MULTICAST : Integer.parseInt(matcher.group(3)),
                Long.parseUnsignedLong(matcher.group(4), 16)));
    }

    public boolean isMulticast() {
        return device == MULTICAST;
    }

    public boolean sameDevice(MemoryOrigin other) {
        return sameHost(other) && device == other.device;
    }

    public boolean sameHost(MemoryOrigin other) {
        return topology.equals(other.topology) && host == other.host;
    }
}
