package io.tutti.launcher.cli;

import io.tutti.config.DriverChoice;
import io.tutti.gpu.Algorithm;
import io.tutti.gpu.DType;
import io.tutti.gpu.Epilogue;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.PathKind;
import io.tutti.gpu.plan.PathPlanner;
import io.tutti.launcher.input.OperationShape;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How each option's text becomes a value; every refusal says what is allowed. */
public final class OptionTypes {

    private static final int MAX_RANKS = 72;
    private static final int MAX_ITERATIONS = 10_000_000;
    private static final int MAX_GRAPH = 1000;
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(24);

    private OptionTypes() {}

    /** {@code --ranks}. */
    public static final class Ranks implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) wholeNumber(text, 1, MAX_RANKS);
        }
    }

    /** {@code --tokens}. */
    public static final class Tokens implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return wholeNumber(text, 1, Long.MAX_VALUE);
        }
    }

    /** {@code --hidden}. */
    public static final class Hidden implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            long hidden = wholeNumber(text, OperationShape.HIDDEN_MULTIPLE, OperationShape.MAX_HIDDEN);
            if (hidden % OperationShape.HIDDEN_MULTIPLE != 0) {
                throw new TypeConversionException("'" + text + "' is not a multiple of "
                        + OperationShape.HIDDEN_MULTIPLE + "; allowed: multiples of " + OperationShape.HIDDEN_MULTIPLE
                        + " up to " + OperationShape.MAX_HIDDEN);
            }
            return (int) hidden;
        }
    }

    /** {@code --iterations}. */
    public static final class Iterations implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) wholeNumber(text, 1, MAX_ITERATIONS);
        }
    }

    /** {@code --graph}. */
    public static final class GraphLength implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return (int) wholeNumber(text, 0, MAX_GRAPH);
        }
    }

    /** {@code --seed}. */
    public static final class Seed implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return wholeNumber(text, Long.MIN_VALUE, Long.MAX_VALUE);
        }
    }

    /** {@code --eps}. */
    public static final class Eps implements ITypeConverter<Float> {
        @Override
        public Float convert(String text) {
            try {
                float eps = Float.parseFloat(text);
                if (Float.isFinite(eps) && eps >= 0) {
                    return eps + 0f;
                }
            } catch (NumberFormatException e) {
                // Refused below, in the same words as a number out of range.
            }
            throw new TypeConversionException(
                    "'" + text + "' is not allowed; allowed: a finite number from 0 on," + " such as 1e-6");
        }
    }

    /** {@code --timeout}. */
    public static final class Timeout implements ITypeConverter<Duration> {
        private static final Pattern FORM = Pattern.compile("([0-9]{1,9})\\s*(ms|s|m|h)");

        @Override
        public Duration convert(String text) {
            Matcher form = FORM.matcher(text.strip());
            if (form.matches()) {
                long number = Long.parseLong(form.group(1));
                Duration duration = switch (form.group(2)) {
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    case "m" -> Duration.ofMinutes(number);
                    default -> Duration.ofHours(number);
                };
                if (duration.compareTo(SHORTEST) >= 0 && duration.compareTo(LONGEST) <= 0) {
                    return duration;
                }
            }
            throw new TypeConversionException(
                    "'" + text + "' is not a duration from 1ms to 24h; allowed: a whole number"
                            + " with the unit ms, s, m or h, such as 30s");
        }
    }

    /** {@code --driver}. */
    public static final class Driver implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            return oneOf(text, List.of(DriverChoice.values()), DriverChoice::wireName)
                    .wireName();
        }
    }

    /** {@code --path}. */
    public static final class Path implements ITypeConverter<PathKind> {
        @Override
        public PathKind convert(String text) {
            List<PathKind> built = PathPlanner.paths();
            if (Arrays.stream(PathKind.values())
                    .anyMatch(path -> path.wireName().equals(text) && !built.contains(path))) {
                throw new TypeConversionException("this build has no path " + text + "; allowed: "
                        + built.stream().map(PathKind::wireName).collect(Collectors.joining(", ")));
            }
            return oneOf(text, built, PathKind::wireName);
        }
    }

    /** One member of {@code --handles}. */
    public static final class Handle implements ITypeConverter<HandleKind> {
        @Override
        public HandleKind convert(String text) {
            return oneOf(text.strip(), List.of(HandleKind.values()), HandleKind::wireName);
        }
    }

    /** {@code --algorithm}: its name in settings. */
    static final class AlgorithmName implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            List<String> names = Stream.concat(
                            Stream.of("auto"), Arrays.stream(Algorithm.values()).map(Algorithm::wireName))
                    .toList();
            return oneOf(text, names, name -> name);
        }
    }

    /** {@code --dtype}. */
    public static final class Type implements ITypeConverter<DType> {
        @Override
        public DType convert(String text) {
            return oneOf(text, Arrays.asList(DType.values()), DType::wireName);
        }
    }

    /** {@code --epilogue}. */
    public static final class EpilogueName implements ITypeConverter<Epilogue> {
        @Override
        public Epilogue convert(String text) {
            return oneOf(text, Arrays.asList(Epilogue.values()), Epilogue::wireName);
        }
    }

    private static long wholeNumber(String text, long min, long max) {
        try {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below, in the same words as a number out of range.
        }
        String range = max == Long.MAX_VALUE
                ? (min == Long.MIN_VALUE ? "of 64 bits" : "from " + min + " on")
                : "from " + min + " to " + max;
        throw new TypeConversionException("'" + text + "' is not allowed; allowed: a whole number " + range);
    }

    private static <T> T oneOf(String text, List<T> choices, Function<T, String> name) {
        return choices.stream()
                .filter(choice -> name.apply(choice).equals(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is unknown; allowed: "
                        + choices.stream().map(name).collect(Collectors.joining(", "))));
    }
}
