package io.tutti.actors.internal;

import io.tutti.config.HostPort;
import io.tutti.config.TuttiSettings;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.net.BindException;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Down;
import org.apache.pekko.cluster.typed.Join;

/** How a process enters its cluster, and what is said when it cannot. */
final class ClusterEntry {

    private ClusterEntry() {}

    /** Joins the configured seed nodes, or founds a cluster of its own where there are none. */
    static void join(ActorSystem<?> system, TuttiSettings settings) {
        // Where there are seed nodes, they are in the system's configuration and Pekko joins them itself.
        if (settings.cluster().seedNodes().isEmpty()) {
            Cluster cluster = Cluster.get(system);
            cluster.manager().tell(Join.create(cluster.selfMember().address()));
        }
    }

    /** A runtime can only be attached to a cluster member whose traffic stays on this machine, unless that is waived. */
    static void requireCluster(ActorSystem<?> system, TuttiSettings settings) {
        String provider = system.settings().config().getString("pekko.actor.provider");
        if (!provider.equals("cluster") && !provider.endsWith("ClusterActorRefProvider")) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.CONFIGURATION,
                    "the actor system is no cluster member: pekko.actor.provider=" + provider,
                    "Set pekko.actor.provider = cluster in the system's configuration, or use Tutti.start."));
        }
        String host = Cluster.get(system).selfMember().address().getHost().orElse("");
        if (!settings.insecure() && !HostPort.isLoopback(host)) {
            throw new TuttiException(
                    ErrorInfo.of(
                            ErrorCode.CONFIGURATION,
                            "the actor system's address is not on the loopback interface: host=" + host,
                            "Bind it to 127.0.0.1, or write tutti.security.insecure = true to let others connect unencrypted."));
        }
    }

    /** Removes a member whose process is known to have ended. */
    static void down(ActorSystem<?> system, String hostAndPort) {
        Cluster cluster = Cluster.get(system);
        cluster.state().getMembers().forEach(member -> {
            if (hostAndPort.equals(hostAndPort(member.address().hostPort()))) {
                cluster.manager().tell(new Down(member.address()));
            }
        });
    }

    /** Whether this process is a full member. */
    static boolean isMember(ActorSystem<?> system) {
        return Cluster.get(system).selfMember().status().equals(MemberStatus.up());
    }

    /** Where other processes join, {@code host:port}. */
    static String address(ActorSystem<?> system) {
        return hostAndPort(Cluster.get(system).selfMember().address().hostPort());
    }

    /** The {@code host:port} at the end of an address. */
    static String hostAndPort(String address) {
        return address.replaceFirst("^.*@", "");
    }

    /** Turns a failed start of the actor system into words about the setting that caused it. */
    static RuntimeException explain(RuntimeException failure, TuttiSettings settings) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException
                    || String.valueOf(cause.getMessage()).contains("Failed to bind")) {
                return new TuttiException(
                        new ErrorInfo(
                                ErrorCode.CONFIGURATION,
                                null,
                                "bind",
                                null,
                                "the cluster's address cannot be bound: tutti.cluster.host="
                                        + settings.cluster().host() + " tutti.cluster.port="
                                        + settings.cluster().port(),
                                "Set tutti.cluster.port to a free port, or to 0 for any, and tutti.cluster.host to an"
                                        + " address of this machine."),
                        failure);
            }
        }
        return failure;
    }
}
