package io.tutti.config;

import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What has been read so far: every value with its place, and every mistake. Rules about several settings are judged only
 * where each of them was good by itself, so that one slip gives one message. Not thread-safe.
 */
final class Reading {

    private final Map<String, ConfigValue> values = new HashMap<>();
    private final Set<String> unsound = new HashSet<>();
    private final Map<String, List<Found>> mistakes = new LinkedHashMap<>();

    void saw(String key, ConfigValue value) {
        values.put(key, value);
    }

    void mistake(String key, ConfigOrigin origin, String found, String allowed) {
        unsound.add(key);
        mistakes.computeIfAbsent(Origins.source(origin), source -> new ArrayList<>())
                .add(new Found(origin.lineNumber(), new ConfigMistake(Origins.describe(origin), key, found, allowed)));
    }

    /** A mistake about a value that was seen, at the place where that value was written. */
    void mistake(String key, String found, String allowed) {
        mistake(key, value(key).origin(), found, allowed);
    }

    boolean allSound(String... keys) {
        for (String key : keys) {
            if (unsound.contains(key)) {
                return false;
            }
        }
        return true;
    }

    /** Requires one time to be shorter than another; the message stands at the one of the two that somebody wrote. */
    void requireShorter(String key, Duration time, String longerKey, Duration longer, String why) {
        if (allSound(key, longerKey) && time.compareTo(longer) >= 0) {
            String blamed = Origins.isDefault(value(key).origin()) ? longerKey : key;
            mistake(
                    blamed,
                    value(blamed).origin(),
                    "contradicts another timeout: " + nameAndTime(key, time) + " is not shorter than "
                            + nameAndTime(longerKey, longer),
                    why);
        }
    }

    /** The setting as {@code name=value}, as it was written. */
    String nameAndValue(String key) {
        return key + "=" + written(value(key));
    }

    private String nameAndTime(String key, Duration time) {
        String text = nameAndValue(key);
        return text.endsWith("=auto") ? text + " (" + ValueKind.inWords(time) + ")" : text;
    }

    String place(String key) {
        return Origins.describe(value(key).origin());
    }

    boolean isDefault(String key) {
        return Origins.isDefault(value(key).origin());
    }

    /** All mistakes, source by source, each in the order of its lines. */
    List<ConfigMistake> mistakes() {
        return mistakes.values().stream()
                .flatMap(found -> found.stream().sorted(Comparator.comparingInt(Found::line)))
                .map(Found::mistake)
                .distinct()
                .toList();
    }

    /** A value as people write it, short enough for a message. */
    static String written(ConfigValue value) {
        String text = value.valueType() == ConfigValueType.STRING
                ? String.valueOf(value.unwrapped())
                : value.render(ConfigRenderOptions.concise());
        if (text.isBlank()) {
            return "\"" + text + "\"";
        }
        return text.length() <= 80 ? text : text.substring(0, 77) + "...";
    }

    private ConfigValue value(String key) {
        ConfigValue value = values.get(key);
        if (value == null) {
            throw new IllegalStateException("the setting was not read: key=" + key);
        }
        return value;
    }

    private record Found(int line, ConfigMistake mistake) {}
}
