package io.tutti.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;

/** Reads the configuration files that come with this module. */
final class BundledConfig {

    private BundledConfig() {}

    /**
     * The file's content, not resolved.
     *
     * @param resource its name on the class path
     */
    static Config read(String resource) {
        try {
            return ConfigFactory.parseResources(
                    BundledConfig.class.getClassLoader(),
                    resource,
                    ConfigParseOptions.defaults().setAllowMissing(false));
        } catch (ConfigException e) {
            throw ConfigFailures.asMistake(e);
        }
    }
}
