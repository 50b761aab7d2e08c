package io.tutti.config;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What one setting may hold. Text is accepted where it reads as the wanted type, because system properties and
 * environment variables are always text.
 *
 * @param allowed what is allowed, for people, to follow the word "allowed:"
 * @param parser the value as this kind, or empty where it is not of this kind
 */
record ValueKind<T>(String allowed, Function<ConfigValue, Optional<T>> parser) {

    private static final Pattern BARE_NUMBER = Pattern.compile("[-+]?[0-9.]+");
    private static final String AT = "value";

    Optional<T> parse(ConfigValue value) {
        try {
            return parser.apply(value);
        } catch (ConfigException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** This kind, or the word {@code auto}, which reads as empty. */
    ValueKind<Optional<T>> orAuto() {
        return new ValueKind<>("auto, or " + allowed, value -> {
            if ("auto".equals(value.unwrapped())) {
                return Optional.of(Optional.empty());
            }
            return parse(value).map(Optional::of);
        });
    }

    /** The same kind, with more words about what is allowed. */
    ValueKind<T> saying(String more) {
        return new ValueKind<>(allowed + more, parser);
    }

    static ValueKind<String> text(String allowed, Predicate<String> acceptable) {
        return new ValueKind<>(
                allowed,
                value -> isScalar(value)
                        ? Optional.of(String.valueOf(value.unwrapped())).filter(acceptable)
                        : Optional.empty());
    }

    static ValueKind<Integer> integer(int least, int most) {
        return new ValueKind<>(
                "an integer from " + least + " to " + most,
                value -> wholeNumber(value)
                        .filter(number -> number.compareTo(BigInteger.valueOf(least)) >= 0
                                && number.compareTo(BigInteger.valueOf(most)) <= 0)
                        .map(BigInteger::intValueExact));
    }

    static ValueKind<Boolean> flag() {
        return new ValueKind<>(
                "true or false", value -> Optional.of(value.atKey(AT).getBoolean(AT)));
    }

    /** A length of time with its unit; a bare number, which HOCON would take for milliseconds, is refused. */
    static ValueKind<Duration> duration(Duration least, Duration most) {
        return new ValueKind<>(
                "a duration from " + inWords(least) + " to " + inWords(most) + " with its unit, such as 5 s or 200 ms",
                value -> isBareNumber(value)
                        ? Optional.empty()
                        : Optional.of(value.atKey(AT).getDuration(AT))
                                .filter(time -> time.compareTo(least) >= 0 && time.compareTo(most) <= 0));
    }

    /** A number of bytes, bare or with a unit. */
    static ValueKind<Long> memory(long least, long most) {
        return new ValueKind<>(
                "a size from " + bytesInWords(least) + " to " + bytesInWords(most) + ", such as 64 MiB",
                value -> Optional.of(value.atKey(AT).getMemorySize(AT).toBytesBigInteger())
                        .filter(size -> size.compareTo(BigInteger.valueOf(least)) >= 0
                                && size.compareTo(BigInteger.valueOf(most)) <= 0)
                        .map(BigInteger::longValueExact));
    }

    /** One of an enum's constants, by its name in settings. */
    static <E extends Enum<E>> ValueKind<E> oneOf(E[] constants, Function<E, String> name) {
        Map<String, E> byName = new LinkedHashMap<>();
        Arrays.stream(constants).forEach(constant -> byName.put(name.apply(constant), constant));
        return new ValueKind<>(
                byName.keySet().stream().collect(Collectors.joining(", ")),
                value -> Optional.ofNullable(byName.get(String.valueOf(value.unwrapped()))));
    }

    private static Optional<BigInteger> wholeNumber(ConfigValue value) {
        if (!isScalar(value) || value.valueType() == ConfigValueType.BOOLEAN) {
            return Optional.empty();
        }
        try {
            return Optional.of(new BigDecimal(String.valueOf(value.unwrapped()).strip()).toBigIntegerExact());
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static boolean isBareNumber(ConfigValue value) {
        return BARE_NUMBER.matcher(String.valueOf(value.unwrapped()).strip()).matches();
    }

    private static boolean isScalar(ConfigValue value) {
        return value.valueType() != ConfigValueType.OBJECT && value.valueType() != ConfigValueType.LIST;
    }

    /** As people write it, in the largest unit that needs no fraction. */
    static String inWords(Duration time) {
        if (time.toMillis() % 1000 != 0) {
            return time.toMillis() + " ms";
        }
        if (time.toSeconds() % 60 != 0) {
            return time.toSeconds() + " s";
        }
        return time.toMinutes() % 60 != 0 ? time.toMinutes() + " m" : time.toHours() + " h";
    }

    private static String bytesInWords(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
        int unit = 0;
        long rest = bytes;
        while (unit + 1 < units.length && rest >= 1024 && rest % 1024 == 0) {
            rest /= 1024;
            unit++;
        }
        return rest + " " + units[unit];
    }
}
