package io.tutti.gpu.host.fault;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.driver.CuResult;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the text form of a rule: {@code key=value} pairs separated by blanks, in any order. */
final class FaultRuleParser {

    private static final List<String> KEYS = List.of("rank", "call", "result", "times");
    private static final String FORM =
            "Write a rule as 'rank=2 call=cuMemCreate result=CUDA_ERROR_OUT_OF_MEMORY times=1'; call and result are"
                    + " required, without rank it is every rank, without times it is always.";

    private FaultRuleParser() {}

    /** @throws TuttiException with {@link ErrorCode#USAGE}, naming what is allowed */
    static FaultRule parse(String text) {
        Map<String, String> pairs = pairs(text);
        DriverCall call = constant(text, "call", pairs, DriverCall.values());
        CuResult result = constant(text, "result", pairs, failures());
        return new FaultRule(call, result, number(text, "rank", pairs, 0), number(text, "times", pairs, 1));
    }

    private static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : text.trim().split("\\s+")) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            if (equals < 0 || !KEYS.contains(key)) {
                throw refused(text, "key=" + key + " allowed=" + KEYS);
            }
            if (pairs.put(key, pair.substring(equals + 1)) != null) {
                throw refused(text, "key=" + key + " given=twice");
            }
        }
        return pairs;
    }

    private static CuResult[] failures() {
        return Arrays.stream(CuResult.values())
                .filter(result -> result != CuResult.CUDA_SUCCESS)
                .toArray(CuResult[]::new);
    }

    private static <E extends Enum<E>> E constant(String text, String key, Map<String, String> pairs, E[] allowed) {
        String value = required(text, key, pairs.get(key));
        for (E constant : allowed) {
            if (constant.name().equals(value)) {
                return constant;
            }
        }
        String names = Arrays.stream(allowed).map(Enum::name).collect(Collectors.joining(", ", "[", "]"));
        throw refused(text, key + "=" + value + " allowed=" + names);
    }

    private static String required(String text, String key, @Nullable String value) {
        if (value == null) {
            throw refused(text, "key=" + key + " missing=true");
        }
        return value;
    }

    private static OptionalInt number(String text, String key, Map<String, String> pairs, int smallest) {
        String value = pairs.get(key);
        if (value == null) {
            return OptionalInt.empty();
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= smallest) {
                return OptionalInt.of(number);
            }
        } catch (NumberFormatException e) {
            // Told below, like a number that is too small.
        }
        throw refused(text, key + "=" + value + " allowed=" + smallest + " or more");
    }

    private static TuttiException refused(String text, String details) {
        return new TuttiException(
                ErrorInfo.of(ErrorCode.USAGE, "fault rule is not valid: rule='" + text + "' " + details, FORM));
    }
}
