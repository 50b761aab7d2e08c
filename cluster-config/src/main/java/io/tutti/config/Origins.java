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
        String place = origin.filename() != null ? origin.filename() : origin.resource();
        if (place == null) {
            return origin.description();
        }
        return origin.lineNumber() > 0 ? place + ":" + origin.lineNumber() : place;
    }

    /** Whether a library's {@code reference.conf} gave this value, so that nobody chose it. */
    static boolean isDefault(@Nullable ConfigOrigin origin) {
        return origin == null || origin.description().startsWith("reference.conf");
    }
}
