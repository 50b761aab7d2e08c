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
 * <p>An emulated host is one of several on the machine that emulates it: its id is the machine's and its own place. Ranks
 * on two emulated hosts are on two hosts, also within one process.
 *
 * @param id equal for two ranks exactly when they share kernel, network and IPC namespaces, and the emulated host if any
 * @param name the host's name, for people
 */
public record HostIdentity(String id, String name) {

    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    /** Between a machine's id and that of a host that it emulates; no part of a namespace's name. */
    private static final String EMULATED = "#";

    // Where there is no boot id (not Linux) only one process is supported, so an id of this process serves.
    private static final String WITHOUT_PROC = UUID.randomUUID().toString();

    /** This process's host. */
    public static HostIdentity current() {
        return new HostIdentity(currentId(), currentName());
    }

    /**
     * An emulated host of this machine.
     *
     * @param topology the emulated machine's name
     * @param ordinal the host's ordinal in it
     * @param name the host's name, for people
     */
    public static HostIdentity emulated(String topology, int ordinal, String name) {
        return new HostIdentity(currentId() + EMULATED + topology + "/" + ordinal, name);
    }

    /** Whether two ids are of hosts on one machine, whose processes can watch each other by local sockets. */
    public static boolean sameMachine(String id, String otherId) {
        return machine(id).equals(machine(otherId));
    }

    private static String machine(String id) {
        int end = id.indexOf(EMULATED);
        return end < 0 ? id : id.substring(0, end);
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
