package io.tutti.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigResolver;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns what the HOCON library complains about into mistakes with a place. */
final class ConfigFailures {

    private ConfigFailures() {}

    /** Resolves substitutions against the configuration itself and the given environment variables. */
    static Config resolve(Config config, Map<String, String> environment) {
        if (config.isResolved()) {
            return config;
        }
        try {
            return config.resolve(ConfigResolveOptions.noSystem().appendResolver(new Environment(environment)));
        } catch (ConfigException e) {
            throw asMistake(e);
        }
    }

    static ConfigurationException asMistake(ConfigException failure) {
        String where = Origins.describe(failure.origin());
        String text = plain(failure);
        String found;
        String remedy;
        if (failure instanceof ConfigException.UnresolvedSubstitution) {
            found = "refers to something that does not exist: " + text;
            remedy = "define it, or write ${?...} where it may be absent";
        } else if (failure instanceof ConfigException.Parse) {
            found = "cannot be read: " + text;
            remedy = "correct the syntax; the format is HOCON";
        } else if (failure instanceof ConfigException.IO) {
            found = "cannot be read: " + text;
            remedy = "check the name and that this user may read it";
        } else {
            found = "cannot be used: " + text;
            remedy = "correct it; the format is HOCON";
        }
        return ConfigurationException.of(new ConfigMistake(where, "", found, remedy), failure);
    }

    /** The library's words without the place, which is reported by itself. */
    private static String plain(ConfigException failure) {
        String text = String.valueOf(failure.getMessage());
        String place = failure.origin() == null ? "" : failure.origin().description() + ": ";
        return text.startsWith(place) ? text.substring(place.length()) : text;
    }

    private record Environment(
            Map<String, String> variables, @Nullable ConfigResolver next) implements ConfigResolver {

        Environment(Map<String, String> variables) {
            this(variables, null);
        }

        @Override
        public @Nullable ConfigValue lookup(String path) {
            String value = variables.get(path);
            if (value != null) {
                return ConfigValueFactory.fromAnyRef(value, "environment variable " + path);
            }
            return next == null ? null : next.lookup(path);
        }

        @Override
        public ConfigResolver withFallback(ConfigResolver fallback) {
            return new Environment(variables, fallback);
        }
    }
}
