package io.tutti.actors.wire;

import io.tutti.actors.protocol.CoordinatorMessage;
import io.tutti.actors.protocol.RankMessage;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** Random messages of every kind, made from the records' own shape, so that a new field is covered without a word. */
final class RandomMessages {

    private static final List<String> TEXTS = List.of(
            "", "tp0", "GPU-7f3c9a10-1a2b-3c4d-5e6f-708192a3b4c5", "größe × 2", "\u0000\n\t\"", "𝄞", "a".repeat(300));

    /** Fields whose every bit pattern is a value. */
    private static final Set<String> ANY_BITS = Set.of("clique", "epsBits", "biasBits", "tag");

    private final SplittableRandom random;
    private final ActorRef<ToRank> replyTo;

    RandomMessages(long seed, ActorRef<ToRank> replyTo) {
        this.random = new SplittableRandom(seed);
        this.replyTo = replyTo;
    }

    /** One message of every kind that either side can send. */
    Stream<WireMessage> oneOfEachKind() {
        return Stream.concat(
                Arrays.stream(CoordinatorMessage.class.getPermittedSubclasses())
                        .map(kind -> new ToCoordinator(
                                "tp0", "i" + random.nextInt(), replyTo, (CoordinatorMessage) record(kind))),
                Arrays.stream(RankMessage.class.getPermittedSubclasses())
                        .map(kind -> new ToRank("tp0", "i" + random.nextInt(), (RankMessage) record(kind))));
    }

    private Object record(Class<?> type) {
        for (int attempt = 0; attempt < 100; attempt++) {
            try {
                return construct(type);
            } catch (IllegalArgumentException e) {
                // The record refuses this combination of values; another draw.
            }
        }
        throw new AssertionError("no valid values found: record=" + type.getName());
    }

    private Object construct(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = Arrays.stream(components).map(this::component).toArray();
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw refused;
            }
            throw new AssertionError(e);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private @Nullable Object component(RecordComponent component) {
        AnnotatedType type = component.getAnnotatedType();
        if (type.isAnnotationPresent(Nullable.class) && random.nextInt(3) == 0) {
            return null;
        }
        if (ANY_BITS.contains(component.getName())) {
            return component.getType() == int.class ? (Object) random.nextInt() : (Object) random.nextLong();
        }
        return value(type);
    }

    private Object value(AnnotatedType annotated) {
        Type type = annotated.getType();
        if (annotated instanceof AnnotatedParameterizedType generic) {
            return container((Class<?>) ((ParameterizedType) type).getRawType(), generic);
        }
        Class<?> plain = (Class<?>) type;
        if (plain == int.class || plain == Integer.class) {
            return random.nextInt(4) == 0 ? random.nextInt(Integer.MAX_VALUE) : random.nextInt(73);
        } else if (plain == long.class) {
            return random.nextInt(4) == 0 ? random.nextLong(Long.MAX_VALUE) : random.nextLong(1000);
        } else if (plain == boolean.class) {
            return random.nextBoolean();
        } else if (plain == String.class) {
            return TEXTS.get(random.nextInt(TEXTS.size()));
        } else if (plain == byte[].class) {
            byte[] bytes = new byte[random.nextInt(70)];
            random.nextBytes(bytes);
            return bytes;
        } else if (plain.isEnum()) {
            return oneOf(plain.getEnumConstants());
        } else if (plain.isSealed()) {
            return record(oneOf(plain.getPermittedSubclasses()));
        } else if (plain.isRecord()) {
            return record(plain);
        }
        throw new AssertionError("teach this test the type: type=" + plain.getName());
    }

    private Object container(Class<?> raw, AnnotatedParameterizedType type) {
        AnnotatedType[] inner = type.getAnnotatedActualTypeArguments();
        Supplier<Object> element = () -> value(inner[0]);
        if (raw == Optional.class) {
            return random.nextBoolean() ? Optional.of(element.get()) : Optional.empty();
        }
        int size = random.nextInt(5);
        List<Object> elements =
                IntStream.range(0, size).mapToObj(i -> element.get()).toList();
        if (raw == List.class) {
            return elements;
        } else if (raw == Set.class) {
            return new HashSet<>(elements);
        } else if (raw == Map.class) {
            Map<Object, Object> map = new HashMap<>();
            elements.forEach(key -> map.put(key, value(inner[1])));
            return map;
        }
        throw new AssertionError("teach this test the container: type=" + raw.getName());
    }

    private <T> T oneOf(T[] choices) {
        return choices[random.nextInt(choices.length)];
    }
}
