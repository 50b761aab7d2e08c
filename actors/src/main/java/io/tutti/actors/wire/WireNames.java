package io.tutti.actors.wire;

import com.google.protobuf.ProtocolMessageEnum;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The way back from an enum's number on the wire to our value, derived from the way there, which the compiler holds
 * complete.
 *
 * @param <D> our enum
 */
final class WireNames<D extends Enum<D>> {

    private final Class<D> type;
    private final Map<Integer, D> values;

    private WireNames(Class<D> type, Map<Integer, D> values) {
        this.type = type;
        this.values = values;
    }

    static <D extends Enum<D>> WireNames<D> inverse(Class<D> type, Function<D, ? extends ProtocolMessageEnum> there) {
        Map<Integer, D> values = new HashMap<>();
        for (D value : type.getEnumConstants()) {
            values.put(there.apply(value).getNumber(), value);
        }
        return new WireNames<>(type, Map.copyOf(values));
    }

    /** Our value for a number; refuses 0, which stands for a missing value, and numbers that this build does not know. */
    D of(int number) {
        @Nullable D known = values.get(number);
        if (known == null) {
            throw new WireFormatException(
                    "message carries an unknown value: enum=" + type.getSimpleName() + " number=" + number);
        }
        return known;
    }
}
