package io.tutti.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The Pekko cluster that this process forms or joins.
 *
 * @param name name of the actor system, equal on all members
 * @param host the address that this process binds and is known by
 * @param port the TCP port, or 0 for any free one
 * @param seedNodes {@code host:port} of the members to join, in order; empty means that the process joins itself
 * @param roles roles of this member, without repetition
 * @param coordinatorRole the role of the members that may run coordinators, or empty for every member
 * @param formTimeout how long to wait until every member is up and every rank has said hello
 * @param frameBytes largest message to another process, in bytes
 */
public record ClusterSettings(
        String name,
        String host,
        int port,
        List<String> seedNodes,
        List<String> roles,
        Optional<String> coordinatorRole,
        Duration formTimeout,
        int frameBytes) {

    public ClusterSettings {
        seedNodes = List.copyOf(seedNodes);
        roles = List.copyOf(roles);
    }

    /** The seed nodes as Pekko addresses. */
    public List<String> seedAddresses() {
        return seedNodes.stream().map(node -> "pekko://" + name + "@" + node).toList();
    }

    /** Whether no other machine can reach this process. */
    public boolean onLoopback() {
        return HostPort.isLoopback(host);
    }
}
