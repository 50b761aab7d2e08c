package io.tutti.gpu.facts;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What {@code CUDA_VISIBLE_DEVICES} makes of this process's ordinals. The driver numbers the devices that the variable names
 * in its order and ends its list at the first entry that is none, so an ordinal says nothing about a device outside of the
 * process, and neither does a rank's number.
 *
 * @param entries what is named, in order, up to the first that is no device's name; empty without the variable as well
 * @param set whether the variable is set at all; without it the process sees every device
 * @param rest what the driver does not look at any more, beginning with the entry that is none
 */
public record VisibleDevices(List<Entry> entries, boolean set, List<String> rest) {

    private static final Pattern INDEX = Pattern.compile("\\d{1,9}");
    private static final Pattern DEVICE_UUID = Pattern.compile("GPU-[0-9a-fA-F-]+");
    private static final Pattern MIG_UUID = Pattern.compile("MIG-[0-9a-fA-F-]+");
    private static final Pattern MIG_PATH = Pattern.compile("MIG-GPU-[0-9a-fA-F-]+/\\d+/\\d+");

    /** How a device is named. */
    public enum Naming {
        /** By the number that the driver would give it without the variable. */
        INDEX("the machine's device "),
        /** By its UUID or the beginning of it. */
        UUID("the device "),
        /** By a slice of it; a process sees one slice at most. */
        MIG("the MIG slice ");

        private final String words;

        Naming(String words) {
            this.words = words;
        }
    }

    /**
     * One named device.
     *
     * @param text as it is written
     */
    public record Entry(Naming naming, String text) {}

    public VisibleDevices {
        entries = List.copyOf(entries);
        rest = List.copyOf(rest);
    }

    /** Reads the variable's value, or its absence. */
    public static VisibleDevices parse(Optional<String> value) {
        if (value.isEmpty()) {
            return new VisibleDevices(List.of(), false, List.of());
        }
        List<String> written =
                value.get().isBlank() ? List.of() : List.of(value.get().split(","));
        List<Entry> entries = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String part : written) {
            Optional<Naming> naming = naming(part.strip());
            if (naming.isEmpty() || !seen.add(part.strip())) {
                break;
            }
            entries.add(new Entry(naming.get(), part.strip()));
        }
        return new VisibleDevices(entries, true, written.subList(entries.size(), written.size()));
    }

    private static Optional<Naming> naming(String text) {
        if (INDEX.matcher(text).matches()) {
            return Optional.of(Naming.INDEX);
        }
        if (MIG_UUID.matcher(text).matches() || MIG_PATH.matcher(text).matches()) {
            return Optional.of(Naming.MIG);
        }
        return DEVICE_UUID.matcher(text).matches() ? Optional.of(Naming.UUID) : Optional.empty();
    }

    /** What an ordinal of this process stands for, in words. */
    public String explain(int ordinal) {
        if (!set) {
            return "ordinal " + ordinal + " of all devices, since CUDA_VISIBLE_DEVICES is not set";
        }
        String meaning = ordinal < entries.size()
                ? "is " + entries.get(ordinal).naming().words
                        + entries.get(ordinal).text()
                : "is not among them";
        String ignored =
                rest.isEmpty() ? "" : "; ignored from the first entry on that names no further device: " + rest;
        return "ordinal " + ordinal + " of the devices that CUDA_VISIBLE_DEVICES names " + meaning + ignored;
    }
}
