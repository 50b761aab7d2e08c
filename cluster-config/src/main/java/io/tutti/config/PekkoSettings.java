package io.tutti.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The configuration of the actor system that Tutti starts itself. Three layers: what follows from Tutti's settings cannot
 * be overridden; what Tutti merely prefers ({@code pekko.conf} and {@code pekko-loopback.conf} beside this class) gives
 * way to anything that the user wrote under {@code pekko}; the rest is the user's and the libraries'.
 */
public final class PekkoSettings {

    /** The dispatcher of rank actors: one thread each. */
    public static final String RANK_DISPATCHER = "tutti.rank-dispatcher";

    private static final String FOLDER = "io/tutti/config/";

    private PekkoSettings() {}

    /**
     * The actor system's configuration.
     *
     * @param settings what was read from {@code config}
     * @param config the complete, resolved configuration
     */
    public static Config of(TuttiSettings settings, Config config) {
        Config complete = config.withFallback(ConfigFactory.defaultReference(PekkoSettings.class.getClassLoader()));
        Config preferred = resource("pekko.conf");
        if (settings.cluster().onLoopback()) {
            preferred = resource("pekko-loopback.conf").withFallback(preferred);
        }
        Config result = complete;
        for (Map.Entry<String, ConfigValue> entry : preferred.entrySet()) {
            if (!complete.hasPathOrNull(entry.getKey())
                    || Origins.isDefault(complete.getValue(entry.getKey()).origin())) {
                result = result.withValue(entry.getKey(), entry.getValue());
            }
        }
        return required(settings.cluster()).withFallback(result);
    }

    private static Config required(ClusterSettings cluster) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("pekko.actor.provider", "cluster");
        values.put("pekko.remote.artery.enabled", true);
        values.put("pekko.remote.artery.canonical.hostname", cluster.host());
        values.put("pekko.remote.artery.canonical.port", cluster.port());
        values.put("pekko.remote.artery.bind.hostname", cluster.host());
        values.put("pekko.remote.artery.advanced.maximum-frame-size", cluster.frameBytes() + "b");
        values.put("pekko.cluster.seed-nodes", cluster.seedAddresses());
        values.put("pekko.cluster.roles", cluster.roles());
        Config config = ConfigFactory.empty();
        for (Map.Entry<String, Object> entry : values.entrySet()) {
            config = config.withValue(
                    entry.getKey(), ConfigValueFactory.fromAnyRef(entry.getValue(), "settings under tutti.cluster"));
        }
        return config;
    }

    private static Config resource(String name) {
        return ConfigFactory.parseResources(
                PekkoSettings.class.getClassLoader(),
                FOLDER + name,
                ConfigParseOptions.defaults().setAllowMissing(false));
    }
}
