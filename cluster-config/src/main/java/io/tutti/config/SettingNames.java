package io.tutti.config;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigUtil;
import java.util.List;

/** Finds a setting by the last part of its key, for those who remember the name and not the place. */
final class SettingNames {

    private SettingNames() {}

    /** The full keys of all settings of that name, sorted. */
    static List<String> named(String name) {
        return ConfigFactory.defaultReference(SettingNames.class.getClassLoader())
                .getConfig(Keys.ROOT)
                .entrySet()
                .stream()
                .map(entry -> entry.getKey())
                .filter(key -> {
                    List<String> path = ConfigUtil.splitPath(key);
                    return path.get(path.size() - 1).equals(name);
                })
                .map(key -> Keys.ROOT + "." + key)
                .sorted()
                .toList();
    }
}
