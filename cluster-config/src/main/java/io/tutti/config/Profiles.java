package io.tutti.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import java.util.List;

/** Named sets of settings for common situations; each is a file beside this class that says what it is for. */
public final class Profiles {

    static final String FOLDER = "io/tutti/config/profiles/";

    private static final List<String> NAMES = List.of("ci", "eight-ranks", "one-machine");

    private Profiles() {}

    /** All profiles, sorted. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * The profile's own settings only.
     *
     * @throws ConfigurationException naming all profiles, when there is none of that name
     */
    public static Config load(String name) {
        if (!NAMES.contains(name)) {
            String hint = NearestName.among(NAMES, name)
                    .map(meant -> "did you mean " + meant + "? ")
                    .orElse("");
            throw ConfigurationException.of(
                    new ConfigMistake(
                            "profile " + name,
                            "",
                            "there is no such profile",
                            hint + "allowed: " + String.join(", ", NAMES)),
                    null);
        }
        try {
            return ConfigFactory.parseResources(
                    Profiles.class.getClassLoader(),
                    FOLDER + name + ".conf",
                    ConfigParseOptions.defaults().setAllowMissing(false));
        } catch (ConfigException e) {
            throw ConfigFailures.asMistake(e);
        }
    }
}
