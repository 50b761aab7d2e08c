package io.tutti.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Puts the layers of a configuration together: overrides, then system properties, the file, the profile,
 * {@code application.conf}, and {@code reference.conf}; the earlier in this list wins. The result is resolved but not
 * judged; {@link TuttiSettings#load} does that.
 */
public final class ConfigLoader {

    private static final String EACH = Keys.COMMUNICATORS + ".*.";

    private ConfigLoader() {}

    /**
     * The complete configuration.
     *
     * @param file a HOCON file in UTF-8
     * @param profile one of {@link Profiles#names()}
     * @param overrides the strongest layer; of two for one key, the later wins
     * @param environment what {@code ${?NAME}} may refer to
     * @throws ConfigurationException when the file or the profile cannot be read, or something it refers to is missing
     */
    public static Config load(
            Optional<Path> file,
            Optional<String> profile,
            List<ConfigOverride> overrides,
            Map<String, String> environment) {
        List<Config> layers = List.of(
                direct(overrides),
                ConfigFactory.systemProperties(),
                file.map(ConfigFile::read).orElseGet(ConfigFactory::empty),
                profile.map(Profiles::load).orElseGet(ConfigFactory::empty),
                application());
        Config unresolved = layers.stream()
                .reduce(Config::withFallback)
                .orElseGet(ConfigFactory::empty)
                .withFallback(ConfigFactory.defaultReferenceUnresolved(ConfigLoader.class.getClassLoader()));
        Config config = Substitutions.in(layers).relocate(ConfigFailures.resolve(unresolved, environment));
        return forEachCommunicator(overrides, config).withFallback(config);
    }

    /** Whether nobody chose a setting: it is as {@code reference.conf} has it, or not there. */
    public static boolean isDefault(Config config, String key) {
        return !config.hasPathOrNull(key)
                || Origins.isDefault(config.getValue(key).origin());
    }

    private static Config application() {
        try {
            return ConfigFactory.defaultApplication(
                    ConfigParseOptions.defaults().setIncluder(new StrictIncluder()));
        } catch (ConfigException e) {
            throw ConfigFailures.asMistake(e);
        }
    }

    private static Config direct(List<ConfigOverride> overrides) {
        Config result = ConfigFactory.empty();
        for (ConfigOverride override : overrides) {
            if (!override.key().startsWith(EACH)) {
                result = at(override.key(), override).withFallback(result);
            }
        }
        return result;
    }

    private static Config forEachCommunicator(List<ConfigOverride> overrides, Config config) {
        Config result = ConfigFactory.empty();
        for (ConfigOverride override : overrides) {
            if (override.key().startsWith(EACH)) {
                for (String name : communicators(config)) {
                    String key = Keys.COMMUNICATORS + "." + ConfigUtil.quoteString(name) + "."
                            + override.key().substring(EACH.length());
                    result = at(key, override).withFallback(result);
                }
            }
        }
        return result;
    }

    private static Iterable<String> communicators(Config config) {
        if (!(config.root().get(Keys.ROOT) instanceof ConfigObject tutti)
                || !(tutti.get("communicators") instanceof ConfigObject written)) {
            return Set.of();
        }
        return written.isEmpty() ? Set.of(CommunicatorsParser.DEFAULT_NAME) : new ArrayList<>(written.keySet());
    }

    private static Config at(String key, ConfigOverride override) {
        return ConfigValueFactory.fromAnyRef(override.value(), override.origin())
                .atPath(key);
    }
}
