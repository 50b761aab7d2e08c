package io.tutti.actors.wire;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which records the messages are made of, by type and by value. */
final class RecordShapes {

    private RecordShapes() {}

    /** Every record that a value of {@code root} can hold at any depth, members of sealed types included. */
    static Set<Class<?>> possible(Class<?> root) {
        Set<Class<?>> found = new LinkedHashSet<>();
        addPossible(root, found);
        return found;
    }

    /** Every record that {@code value} does hold. */
    static Set<Class<?>> held(Object value) {
        Set<Class<?>> found = new LinkedHashSet<>();
        addHeld(value, found);
        return found;
    }

    private static void addPossible(Type type, Set<Class<?>> found) {
        if (type instanceof ParameterizedType generic) {
            Arrays.stream(generic.getActualTypeArguments()).forEach(inner -> addPossible(inner, found));
        } else if (type instanceof Class<?> plain && plain.isSealed()) {
            Arrays.stream(plain.getPermittedSubclasses()).forEach(member -> addPossible(member, found));
        } else if (type instanceof Class<?> plain && plain.isRecord() && found.add(plain)) {
            for (RecordComponent component : plain.getRecordComponents()) {
                addPossible(component.getGenericType(), found);
            }
        }
    }

    private static void addHeld(@Nullable Object value, Set<Class<?>> found) {
        if (value instanceof Optional<?> optional) {
            optional.ifPresent(inner -> addHeld(inner, found));
        } else if (value instanceof Collection<?> collection) {
            collection.forEach(inner -> addHeld(inner, found));
        } else if (value instanceof Map<?, ?> map) {
            map.values().forEach(inner -> addHeld(inner, found));
        } else if (value instanceof Record) {
            found.add(value.getClass());
            for (RecordComponent component : value.getClass().getRecordComponents()) {
                addHeld(read(component, value), found);
            }
        }
    }

    private static @Nullable Object read(RecordComponent component, Object value) {
        try {
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
