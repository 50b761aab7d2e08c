package io.tutti.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.tutti.gpu.ErrorInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One object of the configuration while it is being read. Each key that is asked for becomes a known one;
 * {@link #refuseTheRest} reports all others. A bad value is reported and replaced by a good one, so that reading goes on
 * and finds the remaining mistakes.
 */
final class Section {

    private final Reading reading;
    private final String path;
    private final ConfigObject object;
    private final ConfigObject defaults;
    private final Set<String> known = new TreeSet<>();

    Section(Reading reading, String path, ConfigObject object, ConfigObject defaults) {
        this.reading = reading;
        this.path = path;
        this.object = object;
        this.defaults = defaults;
    }

    String fullKey(String key) {
        return path + "." + ConfigUtil.joinPath(key);
    }

    /** Whether the key is written here, be it with a bad value. */
    boolean has(String key) {
        return object.containsKey(key);
    }

    /** The keys that are written here, sorted. */
    Set<String> names() {
        return new TreeSet<>(object.keySet());
    }

    /** Accepts a key that somebody else reads. */
    void readElsewhere(String key) {
        known.add(key);
    }

    /** One value of a kind, or the default after a mistake. */
    <T> T read(String key, ValueKind<T> kind) {
        ConfigValue value = value(key);
        return kind.parse(value).orElseGet(() -> {
            refuse(key, value, kind.allowed());
            return Optional.ofNullable(defaults.get(key))
                    .flatMap(kind::parse)
                    .orElseThrow(() -> new IllegalStateException("the default is not allowed: key=" + fullKey(key)));
        });
    }

    /** One value of a kind, or the given one where nothing or nothing good is written. */
    <T> T readOr(String key, ValueKind<T> kind, T otherwise) {
        known.add(key);
        if (!has(key)) {
            return otherwise;
        }
        ConfigValue value = value(key);
        return kind.parse(value).orElseGet(() -> {
            refuse(key, value, kind.allowed());
            return otherwise;
        });
    }

    /** The good and different elements of a list; each bad one is a mistake of its own. */
    <T> List<T> readSet(String key, ValueKind<T> kind, boolean mayBeEmpty) {
        List<ConfigValue> list = list(key, kind.allowed());
        if (list.isEmpty() && !mayBeEmpty && reading.allSound(fullKey(key))) {
            reading.mistake(fullKey(key), "is empty", "allowed: at least one of " + kind.allowed());
        }
        return elements(key, list, kind);
    }

    /**
     * The good elements of a list, in order and with repetitions.
     *
     * @param judge what is wrong with an element, in its own words
     */
    <T> List<T> readList(String key, ValueKind<T> kind, Function<T, Optional<ErrorInfo>> judge) {
        List<T> result = new ArrayList<>();
        for (ConfigValue element : list(key, kind.allowed())) {
            Optional<T> parsed = kind.parse(element);
            Optional<ErrorInfo> wrong = parsed.flatMap(judge);
            if (parsed.isEmpty()) {
                reading.mistake(
                        fullKey(key),
                        element.origin(),
                        "contains " + Reading.written(element),
                        "allowed: " + kind.allowed());
            } else if (wrong.isPresent()) {
                String found = "has a bad element: " + wrong.get().message();
                reading.mistake(
                        fullKey(key), element.origin(), found, wrong.get().advice());
            } else {
                result.add(parsed.get());
            }
        }
        return List.copyOf(result);
    }

    /** A sub-object, or its default after a mistake. */
    Section section(String key) {
        ConfigValue value = value(key);
        ConfigObject fallback = defaults.get(key) instanceof ConfigObject inner
                ? inner
                : ConfigFactory.empty().root();
        if (value instanceof ConfigObject inner) {
            return new Section(reading, fullKey(key), inner, fallback);
        }
        refuse(key, value, "an object with settings, such as " + key + " { ... }");
        return new Section(reading, fullKey(key), fallback, fallback);
    }

    /** Reports every key that nobody asked for. */
    void refuseTheRest() {
        object.forEach((key, value) -> {
            if (!known.contains(key)) {
                reading.mistake(fullKey(key), innermost(value).origin(), "is no setting", advice(key));
            }
        });
    }

    void refuse(String key, ConfigValue value, String allowed) {
        String found = value.valueType() == ConfigValueType.NULL ? "has no value" : "is " + Reading.written(value);
        reading.mistake(fullKey(key), value.origin(), found, "allowed: " + allowed);
    }

    /** Where the object is written. */
    ConfigOrigin origin() {
        return object.origin();
    }

    /** What is written, of whatever kind. */
    @Nullable
    ConfigValue valueOrNull(String key) {
        known.add(key);
        return object.get(key);
    }

    ConfigValue value(String key) {
        known.add(key);
        ConfigValue value = has(key) ? object.get(key) : defaults.get(key);
        if (value == null) {
            throw new IllegalStateException("reference.conf has no value: key=" + fullKey(key));
        }
        reading.saw(fullKey(key), value);
        return value;
    }

    private <T> List<T> elements(String key, List<ConfigValue> list, ValueKind<T> kind) {
        Map<T, ConfigValue> seen = new HashMap<>();
        List<T> result = new ArrayList<>();
        for (ConfigValue element : list) {
            Optional<T> parsed = kind.parse(element);
            String found = "contains " + Reading.written(element);
            if (parsed.isEmpty()) {
                reading.mistake(fullKey(key), element.origin(), found, "allowed: " + kind.allowed());
            } else if (seen.putIfAbsent(parsed.get(), element) != null) {
                reading.mistake(fullKey(key), element.origin(), found + " twice", "allowed: each at most once");
            } else {
                result.add(parsed.get());
            }
        }
        return List.copyOf(result);
    }

    private String advice(String key) {
        List<String> meant = NearestName.among(known, key)
                .map(nearest -> List.of(fullKey(nearest)))
                .orElseGet(() -> SettingNames.named(key));
        if (!meant.isEmpty()) {
            return "did you mean " + String.join(" or ", meant) + "?";
        }
        return known.isEmpty() ? "remove it" : "allowed in " + path + ": " + String.join(", ", known);
    }

    /** An object that only groups settings, as in {@code a.b.c = 1}, is best shown at its first setting. */
    static ConfigValue innermost(ConfigValue value) {
        return value instanceof ConfigObject inner && inner.size() == 1
                ? innermost(inner.values().iterator().next())
                : value;
    }

    private List<ConfigValue> list(String key, String allowed) {
        ConfigValue value = value(key);
        try {
            return value.atKey("value").getList("value");
        } catch (ConfigException e) {
            refuse(key, value, "a list [...] of " + allowed);
            return List.of();
        }
    }
}
