package io.tutti.launcher.processes;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one JSON object that was read, by type; a missing field or another type is an {@link
 * IllegalArgumentException} that names it.
 */
record JsonFields(Map<String, @Nullable Object> values) {

    Set<String> names() {
        return values.keySet();
    }

    String text(String name) {
        return require(name, String.class);
    }

    @Nullable
    String optionalText(String name) {
        return values.get(name) == null ? null : text(name);
    }

    long number(String name) {
        return require(name, Long.class);
    }

    int integer(String name) {
        return Math.toIntExact(number(name));
    }

    @Nullable
    Integer optionalInteger(String name) {
        return values.get(name) == null ? null : Integer.valueOf(integer(name));
    }

    boolean flag(String name) {
        return require(name, Boolean.class);
    }

    JsonFields object(String name) {
        return require(name, JsonFields.class);
    }

    List<JsonFields> objects(String name) {
        return elements(name, JsonFields.class);
    }

    List<String> texts(String name) {
        return elements(name, String.class);
    }

    List<Integer> integers(String name) {
        return elements(name, Long.class).stream().map(Math::toIntExact).toList();
    }

    private <T> List<T> elements(String name, Class<T> type) {
        List<?> list = require(name, List.class);
        return list.stream().map(element -> cast(name, element, type)).toList();
    }

    private <T> T require(String name, Class<T> type) {
        return cast(name, values.get(name), type);
    }

    private static <T> T cast(String name, @Nullable Object value, Class<T> type) {
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException("field is missing or of another type: name=" + name + " value=" + value);
        }
        return type.cast(value);
    }
}
