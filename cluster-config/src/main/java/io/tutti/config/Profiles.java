package io.tutti.config;

import com.typesafe.config.Config;
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
            throw ConfigurationException.of(
                    new ConfigMistake(
                            "profile " + name,
                            "",
                            "there is no such profile",
                            NearestName.hint(NAMES, name) + "allowed: " + String.join(", ", NAMES)),
                    null);
        }
        return BundledConfig.read(FOLDER + name + ".conf");
    }
}
