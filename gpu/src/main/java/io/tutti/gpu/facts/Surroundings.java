package io.tutti.gpu.facts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What surrounds this process and decides what it may do: its user, and what a container gives it. Nothing here fails; what
 * cannot be read is not known.
 *
 * @param user name and number
 * @param pidNamespace the namespace of process ids
 * @param sharedMemoryBytes size of {@code /dev/shm}
 * @param visibleDevices {@code CUDA_VISIBLE_DEVICES}, empty where it is not set
 */
public record Surroundings(String user, String pidNamespace, long sharedMemoryBytes, Optional<String> visibleDevices) {

    private static final String VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES";

    /** This process's. */
    public static Surroundings current() {
        return read(Path.of("/proc/self"), Path.of("/dev/shm"), Optional.ofNullable(System.getenv(VISIBLE_DEVICES)));
    }

    static Surroundings read(Path self, Path sharedMemory, Optional<String> visibleDevices) {
        return new Surroundings(user(self), namespace(self), size(sharedMemory), visibleDevices);
    }

    private static String user(Path self) {
        String name = System.getProperty("user.name", "");
        try {
            String number = Files.readAllLines(self.resolve("status")).stream()
                    .filter(line -> line.startsWith("Uid:"))
                    .map(line -> line.split("\\s+")[1])
                    .findFirst()
                    .orElse("");
            return number.isEmpty() ? name : name + " (" + number + ")";
        } catch (IOException e) {
            return name;
        }
    }

    private static String namespace(Path self) {
        try {
            return Files.readSymbolicLink(self.resolve("ns").resolve("pid")).toString();
        } catch (IOException e) {
            return "";
        }
    }

    private static long size(Path folder) {
        try {
            return Files.getFileStore(folder).getTotalSpace();
        } catch (IOException e) {
            return 0;
        }
    }
}
