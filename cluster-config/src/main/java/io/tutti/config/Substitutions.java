package io.tutti.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where substitutions were written. What {@code ${...}} becomes keeps the origin of the value it names; where that is a
 * library's {@code reference.conf}, nobody would find a mistake there, and a value that somebody chose would look like a
 * default. Such values get the place of the substitution instead.
 */
final class Substitutions {

    private final Map<List<String>, ConfigOrigin> places = new LinkedHashMap<>();

    private Substitutions() {}

    /**
     * Those in the given layers.
     *
     * @param layers unresolved, the strongest first
     */
    static Substitutions in(List<Config> layers) {
        Substitutions result = new Substitutions();
        layers.stream().filter(layer -> !layer.isResolved()).forEach(layer -> result.find(List.of(), layer.root()));
        return result;
    }

    private void find(List<String> path, ConfigValue value) {
        try {
            if (value instanceof ConfigObject object) {
                object.forEach((key, inner) -> find(appended(path, key), inner));
            } else if (value instanceof ConfigList list) {
                list.forEach(ConfigValue::valueType);
            } else {
                value.valueType();
            }
        } catch (ConfigException.NotResolved e) {
            places.putIfAbsent(path, value.origin());
        }
    }

    /** The resolved configuration, with every substituted default at the place of its substitution. */
    Config relocate(Config resolved) {
        if (places.isEmpty()) {
            return resolved;
        }
        ConfigObject reference = ConfigFactory.defaultReference(Substitutions.class.getClassLoader())
                .root();
        Config result = resolved;
        for (Map.Entry<List<String>, ConfigOrigin> place : places.entrySet()) {
            ConfigValue value = at(result.root(), place.getKey());
            if (value != null) {
                ConfigValue moved = moved(value, at(reference, place.getKey()), place.getValue());
                result = result.withValue(ConfigUtil.joinPath(place.getKey()), moved);
            }
        }
        return result;
    }

    /** @param own the default at the same path, which is no substitution's doing */
    private static ConfigValue moved(ConfigValue value, @Nullable ConfigValue own, ConfigOrigin place) {
        ConfigValue result = value;
        if (value instanceof ConfigObject object) {
            ConfigObject inner = object;
            for (Map.Entry<String, ConfigValue> entry : object.entrySet()) {
                ConfigValue ownInner = own instanceof ConfigObject defaults ? defaults.get(entry.getKey()) : null;
                inner = inner.withValue(entry.getKey(), moved(entry.getValue(), ownInner, place));
            }
            result = inner;
        } else if (value instanceof ConfigList list) {
            List<ConfigValue> elements = new ArrayList<>();
            list.forEach(element -> elements.add(moved(element, null, place)));
            result = ConfigValueFactory.fromIterable(elements).withOrigin(list.origin());
        }
        return Origins.isDefault(value.origin()) && !isSame(value, own) ? result.withOrigin(place) : result;
    }

    private static boolean isSame(ConfigValue value, @Nullable ConfigValue own) {
        return own != null && Origins.describe(own.origin()).equals(Origins.describe(value.origin()));
    }

    private static @Nullable ConfigValue at(ConfigObject root, List<String> path) {
        ConfigValue value = root;
        for (String key : path) {
            value = value instanceof ConfigObject object ? object.get(key) : null;
        }
        return value;
    }

    private static List<String> appended(List<String> path, String key) {
        List<String> longer = new ArrayList<>(path);
        longer.add(key);
        return List.copyOf(longer);
    }
}
