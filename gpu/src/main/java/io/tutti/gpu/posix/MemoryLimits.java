package io.tutti.gpu.posix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How much memory this process may still take: the machine's available memory and the limits of its control groups, of
 * both versions and of every ancestor that is visible. Shared memory has no limit of its own, and beyond these figures the
 * kernel kills instead of refusing.
 */
public final class MemoryLimits {

    private static final int MAX_DEPTH = 64;

    private final Path proc;
    private final Path cgroups;

    /**
     * @param proc where {@code meminfo} and {@code self/cgroup} are
     * @param cgroups where the control groups are mounted
     */
    public MemoryLimits(Path proc, Path cgroups) {
        this.proc = proc;
        this.cgroups = cgroups;
    }

    public static MemoryLimits system() {
        return new MemoryLimits(Path.of("/proc"), Path.of("/sys/fs/cgroup"));
    }

    /**
     * @param memAvailable bytes that the machine can give without swapping; absent where the system does not say
     * @param cgroupFree bytes below the tightest control group's limit; absent without a limit
     */
    public record Available(OptionalLong memAvailable, OptionalLong cgroupFree) {

        /** The tighter of both, or the largest long where neither is known. */
        public long bytes() {
            return Math.min(memAvailable.orElse(Long.MAX_VALUE), cgroupFree.orElse(Long.MAX_VALUE));
        }

        /** The figures as {@code name=value} pairs. */
        public String describe() {
            return "memAvailable=" + text(memAvailable) + " cgroupFree=" + text(cgroupFree);
        }

        private static String text(OptionalLong value) {
            return value.isPresent() ? Long.toString(value.getAsLong()) : "unknown";
        }
    }

    /** Reads the figures now. */
    public Available available() {
        return new Available(memAvailable(), cgroupFree());
    }

    private OptionalLong memAvailable() {
        for (String line : lines(proc.resolve("meminfo"))) {
            if (line.startsWith("MemAvailable:")) {
                String kib = line.replaceAll("[^0-9]", "");
                return kib.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(kib) * 1024);
            }
        }
        return OptionalLong.empty();
    }

    private OptionalLong cgroupFree() {
        long free = Long.MAX_VALUE;
        for (String line : lines(proc.resolve("self/cgroup"))) {
            String[] parts = line.split(":", 3);
            if (parts.length != 3) {
                continue;
            }
            if (parts[1].isEmpty()) {
                free = Math.min(free, tightest(cgroups, parts[2], GroupFiles.V2));
                free = Math.min(free, tightest(cgroups.resolve("unified"), parts[2], GroupFiles.V2));
            } else if (List.of(parts[1].split(",")).contains("memory")) {
                free = Math.min(free, tightest(cgroups.resolve("memory"), parts[2], GroupFiles.V1));
            }
        }
        return free == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(Math.max(0, free));
    }

    /** The names of the files that carry limit, usage and the reclaimable share of the usage. */
    private record GroupFiles(String limit, String usage, String reclaimable) {
        static final GroupFiles V2 = new GroupFiles("memory.max", "memory.current", "inactive_file ");
        static final GroupFiles V1 =
                new GroupFiles("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ");
    }

    private static long tightest(Path mount, String group, GroupFiles names) {
        Path relative = Path.of("/")
                .relativize(Path.of(group.startsWith("/") ? group : "/"))
                .normalize();
        Path at = mount.resolve(relative);
        // Inside a container the named group is often not visible and the mount itself is the container's group.
        if (!Files.isDirectory(at)) {
            at = mount;
        }
        long free = Long.MAX_VALUE;
        for (int depth = 0; depth < MAX_DEPTH && at != null && at.startsWith(mount); depth++) {
            free = Math.min(free, free(at, names));
            at = at.getParent();
        }
        return free;
    }

    private static long free(Path group, GroupFiles names) {
        long limit = number(group.resolve(names.limit));
        long usage = number(group.resolve(names.usage));
        // Version 1 spells "no limit" as the largest page-aligned long.
        if (limit < 0 || usage < 0 || limit >= Long.MAX_VALUE - 0xffff) {
            return Long.MAX_VALUE;
        }
        long reclaimable = 0;
        for (String line : lines(group.resolve("memory.stat"))) {
            if (line.startsWith(names.reclaimable)) {
                reclaimable = parse(line.substring(names.reclaimable.length()));
            }
        }
        return limit - usage + Math.max(0, reclaimable);
    }

    private static long number(Path file) {
        List<String> lines = lines(file);
        return lines.isEmpty() ? -1 : parse(lines.get(0));
    }

    /** The number, or −1 for {@code max} and anything else that is none. */
    private static long parse(@Nullable String text) {
        try {
            return text == null ? -1 : Long.parseLong(text.trim());
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }
}
