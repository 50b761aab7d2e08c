package io.tutti.launcher.facts;

import com.fasterxml.jackson.databind.JsonNode;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * One value of a facts file with the way to it, so that whatever is wrong with it is reported where it stands.
 *
 * @param file the file, as the user named it
 * @param path such as {@code communicators[0].ranks[3].device.uuid}; empty for the whole file
 * @param node the value; missing where there is none
 */
record Place(String file, String path, JsonNode node) {

    /** A member, there or not. */
    Place get(String name) {
        return new Place(file, path.isEmpty() ? name : path + "." + name, node.path(name));
    }

    TuttiException refused(String what) {
        return new TuttiException(ErrorInfo.of(
                ErrorCode.INPUT,
                "the facts file cannot be used: file=" + file + " at=" + (path.isEmpty() ? "the whole file" : path)
                        + " " + what,
                "Save the facts again with tutti preflight --save-facts."));
    }

    private Place require(boolean right, String allowed) {
        if (node.isMissingNode()) {
            throw refused("is missing; expected: " + allowed);
        }
        if (!right) {
            throw refused("is " + node + "; expected: " + allowed);
        }
        return this;
    }

    Place object() {
        return require(node.isObject(), "an object");
    }

    List<Place> elements() {
        require(node.isArray(), "a list");
        List<Place> elements = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            elements.add(new Place(file, path + "[" + i + "]", node.get(i)));
        }
        return elements;
    }

    String text() {
        return require(node.isTextual(), "a text").node.textValue();
    }

    /** A text, or null in the file. */
    Optional<String> optionalText() {
        return node.isNull() ? Optional.empty() : Optional.of(text());
    }

    boolean flag() {
        return require(node.isBoolean(), "true or false").node.booleanValue();
    }

    /** A number that is never negative. */
    long count() {
        boolean fits = node.isIntegralNumber() && node.canConvertToLong() && node.longValue() >= 0;
        return require(fits, "a whole number that is not negative").node.longValue();
    }

    int smallCount() {
        boolean fits = node.isIntegralNumber() && node.canConvertToInt() && node.intValue() >= 0;
        return require(fits, "a whole number from 0 to " + Integer.MAX_VALUE)
                .node
                .intValue();
    }

    /** Any 32 bits. */
    int bits() {
        return require(node.isIntegralNumber() && node.canConvertToInt(), "a whole number of 32 bits")
                .node
                .intValue();
    }

    <E extends Enum<E>> E constant(E[] constants, Function<E, String> name) {
        String written = text();
        return Arrays.stream(constants)
                .filter(constant -> name.apply(constant).equals(written))
                .findFirst()
                .orElseThrow(() -> refused("is " + node + "; expected: one of "
                        + String.join(", ", Arrays.stream(constants).map(name).toList())));
    }

    /** Different constants. */
    <E extends Enum<E>> Set<E> constants(Class<E> type, Function<E, String> name) {
        Set<E> all = EnumSet.noneOf(type);
        for (Place element : elements()) {
            if (!all.add(element.constant(type.getEnumConstants(), name))) {
                throw element.refused(
                        "is there twice: " + element.node.textValue().toLowerCase(Locale.ROOT));
            }
        }
        return all;
    }
}
