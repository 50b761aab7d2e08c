package io.tutti.actors.wire;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.NotSerializableException;
import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;

/** A real actor system whose references name an address, and its serialisation as Tutti's reference.conf sets it up. */
final class WireSystem implements AutoCloseable {

    /** An actor of another process; nothing is ever sent to it. */
    private static final String REMOTE_ACTOR = "pekko://tutti@192.0.2.7:17355/user/tp0/rank-2#1804289383";

    private static final Config CONFIG = ConfigFactory.parseString("""
                    pekko.actor.provider = cluster
                    pekko.actor.serialize-messages = on
                    pekko.cluster.jmx.enabled = off
                    pekko.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
                    pekko.remote.artery.advanced.maximum-frame-size = 256 KiB
                    # Damaged reply addresses make Pekko warn, thousands of times.
                    pekko.loglevel = ERROR
                    """).withFallback(ConfigFactory.load());

    private final ActorTestKit kit = ActorTestKit.create("wire", CONFIG);

    ActorTestKit kit() {
        return kit;
    }

    ActorSystem<Void> system() {
        return kit.system();
    }

    /** The reference that a message from another process carries. */
    ActorRef<ToRank> remoteRank() {
        return ActorRefResolver.get(kit.system()).resolveActorRef(REMOTE_ACTOR);
    }

    Serialization serialization() {
        return SerializationExtension.get(kit.system());
    }

    TuttiSerializer serializer() {
        return (TuttiSerializer) serialization().serializerByIdentity().apply(TuttiSerializer.IDENTIFIER);
    }

    byte[] bytes(WireMessage message) {
        return serializer().toBinary(message);
    }

    WireMessage parse(byte[] bytes, String manifest) throws NotSerializableException {
        return (WireMessage) serializer().fromBinary(bytes, manifest);
    }

    @Override
    public void close() {
        ActorTestKit.shutdown(kit.system(), Duration.ofSeconds(20), true);
    }
}
