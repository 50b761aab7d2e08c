package io.tutti.gpu.facts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Which host this process runs on. A name is not enough: two containers of one machine may share it, and two machines
 * too. The id is made of the kernel's boot id and of the namespaces that decide what processes can share.
 *
 * @param id equal for two processes exactly when they share kernel, network and IPC namespaces
 * @param name the host's name, for people
 */
public record HostIdentity(String id, String name) {

    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    // Where there is no boot id (not Linux) only one process is supported, so an id of this process serves.
    private static final String WITHOUT_PROC = UUID.randomUUID().toString();

    /** This process's host. */
    public static HostIdentity current() {
        return new HostIdentity(currentId(), currentName());
    }

    private static String currentId() {
        try {
            return Files.readString(BOOT_ID).trim() + "/" + namespace("net") + "/" + namespace("ipc");
        } catch (IOException e) {
            return WITHOUT_PROC;
        }
    }

    private static String namespace(String kind) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/self/ns", kind)).toString();
    }

    private static String currentName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
