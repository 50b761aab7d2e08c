package io.tutti.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The configuration of the actor system that Tutti starts itself. Three layers: what follows from Tutti's settings, which
 * nothing may contradict; what Tutti merely prefers ({@code pekko.conf} and {@code pekko-loopback.conf} beside this class) gives
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
     * @throws ConfigurationException when somebody wrote under {@code pekko} what Tutti's own settings decide otherwise
     */
    public static Config of(TuttiSettings settings, Config config) {
        Config complete = config.withFallback(ConfigFactory.defaultReference(PekkoSettings.class.getClassLoader()));
        Config required = required(settings.cluster());
        refuseContradictions(required, complete);
        Config preferred = BundledConfig.read(FOLDER + "pekko.conf");
        if (settings.cluster().onLoopback()) {
            preferred = BundledConfig.read(FOLDER + "pekko-loopback.conf").withFallback(preferred);
        }
        Config result = complete;
        for (Map.Entry<String, ConfigValue> entry : preferred.entrySet()) {
            if (!complete.hasPathOrNull(entry.getKey())
                    || Origins.isDefault(complete.getValue(entry.getKey()).origin())) {
                result = result.withValue(entry.getKey(), entry.getValue());
            }
        }
        return required.withFallback(result);
    }

    private static void refuseContradictions(Config required, Config complete) {
        List<ConfigMistake> mistakes = new ArrayList<>();
        required.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(entry -> {
            String key = entry.getKey();
            if (!complete.hasPath(key)
                    || Origins.isDefault(complete.getValue(key).origin())) {
                return;
            }
            ConfigValue written = complete.getValue(key);
            if (!Reading.written(written).equals(Reading.written(entry.getValue()))) {
                mistakes.add(new ConfigMistake(
                        Origins.describe(written.origin()),
                        key,
                        "is " + Reading.written(written) + ", but "
                                + entry.getValue().origin().description() + " makes it "
                                + Reading.written(entry.getValue()),
                        "leave it out, and use the settings under tutti.cluster"));
            }
        });
        if (!mistakes.isEmpty()) {
            throw new ConfigurationException(mistakes);
        }
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
            config = config.withValue(entry.getKey(), ConfigValueFactory.fromAnyRef(entry.getValue(), "Tutti"));
        }
        return config;
    }
}
