package io.tutti.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.util.List;
import java.util.Map;

/** From a configuration to settings: completes it, reads it, applies the rules, and throws once with all mistakes. */
final class SettingsLoading {

    private SettingsLoading() {}

    static TuttiSettings load(Config config, Map<String, String> environment) {
        Config reference = ConfigFactory.defaultReference(SettingsLoading.class.getClassLoader());
        Config complete = Substitutions.in(List.of(config))
                .relocate(ConfigFailures.resolve(config.withFallback(reference), environment));
        ConfigObject defaults = reference.getObject(Keys.ROOT);
        ConfigValue tutti = complete.root().get(Keys.ROOT);
        if (!(tutti instanceof ConfigObject object)) {
            throw ConfigurationException.of(
                    new ConfigMistake(
                            Origins.describe(tutti == null ? null : tutti.origin()),
                            Keys.ROOT,
                            "is " + (tutti == null ? "missing" : Reading.written(tutti)),
                            "allowed: an object with settings, such as tutti { ... }"),
                    null);
        }
        Reading reading = new Reading();
        TuttiSettings settings = new SettingsParser(reading, object, defaults).parse(environment);
        new SettingsRules(reading, settings).check();
        if (!reading.mistakes().isEmpty()) {
            throw new ConfigurationException(reading.mistakes());
        }
        return settings;
    }
}
