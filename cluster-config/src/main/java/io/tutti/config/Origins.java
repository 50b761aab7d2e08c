package io.tutti.config;

import com.typesafe.config.ConfigOrigin;
import org.jspecify.annotations.Nullable;

/** Where a value was written, in words for people. */
final class Origins {

    private Origins() {}

    /** {@code FILE:LINE} where both are known, else as much of it as there is. */
    static String describe(@Nullable ConfigOrigin origin) {
        if (origin == null) {
            return "configuration";
        }
        String source = source(origin);
        return origin.lineNumber() > 0 ? source + ":" + origin.lineNumber() : source;
    }

    /** The file or resource; for anything else, the library's description. Without the line. */
    static String source(ConfigOrigin origin) {
        String place = origin.filename() != null ? origin.filename() : origin.resource();
        if (place != null) {
            return place;
        }
        String line = ": " + origin.lineNumber();
        String description = origin.description();
        return description.endsWith(line)
                ? description.substring(0, description.length() - line.length())
                : description;
    }

    /** Whether a library's {@code reference.conf} gave this value, so that nobody chose it. */
    static boolean isDefault(@Nullable ConfigOrigin origin) {
        return origin == null || origin.description().startsWith("reference.conf");
    }
}
