package io.tutti.gpu.facts;

import java.util.UUID;

/** Identifies this process incarnation: a process id alone is used again by the operating system. */
public final class ProcessIdentity {

    private static final String CURRENT = ProcessHandle.current().pid() + "-" + UUID.randomUUID();

    private ProcessIdentity() {}

    /** The same for the whole life of this process, different for every other. */
    public static String current() {
        return CURRENT;
    }

    /** The operating system's process id within an identity. */
    public static long pid(String identity) {
        return Long.parseLong(identity.substring(0, identity.indexOf('-')));
    }
}
