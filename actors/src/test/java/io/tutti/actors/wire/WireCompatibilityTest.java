package io.tutti.actors.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import io.tutti.proto.HeaderProto;
import io.tutti.proto.ProcessExitedProto;
import io.tutti.proto.ToCoordinatorProto;
import io.tutti.proto.ToRankProto;
import java.io.NotSerializableException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What other builds may send: fields that this one does not know, parts that it misses, versions that are newer. */
final class WireCompatibilityTest {

    /** The only parts that may be absent, apart from scalars that say so themselves. */
    private static final Set<String> OPTIONAL_PARTS = Set.of(
            "tutti.v1.CoordinatorMessageProto.Promised.held",
            "tutti.v1.CoordinatorMessageProto.Promised.drained",
            "tutti.v1.CoordinatorMessageProto.Drained.pending");

    private static final UnknownFieldSet UNKNOWN = UnknownFieldSet.newBuilder()
            .addField(
                    1000,
                    UnknownFieldSet.Field.newBuilder()
                            .addVarint(7)
                            .addFixed64(9)
                            .build())
            .build();

    private static WireSystem wire;
    private static Map<String, WireMessage> samples;

    @BeforeAll
    static void start() {
        wire = new WireSystem();
        samples = Samples.all(wire.remoteRank());
    }

    @AfterAll
    static void stop() {
        wire.close();
    }

    @Test
    void unknownFieldsAreIgnoredAtEveryDepth() throws Exception {
        for (WireMessage sample : samples.values()) {
            Message extended = everywhere(proto(sample), part -> part.setUnknownFields(UNKNOWN));
            assertThat(extended.toByteArray()).hasSizeGreaterThan(wire.bytes(sample).length);
            assertThat(parse(sample, extended)).isEqualTo(sample);
        }
    }

    @Test
    void aNewerVersionIsRefusedWithBothVersionsNamed() throws Exception {
        for (WireMessage sample : samples.values()) {
            Message newer = everywhere(
                    proto(sample),
                    part -> part instanceof HeaderProto.Builder header ? header.setProtocolVersion(9) : part);
            assertThatExceptionOfType(NotSerializableException.class)
                    .isThrownBy(() -> parse(sample, newer))
                    .withMessageContaining("received=9 own=1");
        }
    }

    @Test
    void aNewerVersionIsNamedEvenWhereItsMessageMeansNothingHere() {
        ToRankProto newer = ToRankProto.newBuilder()
                .setHeader(HeaderProto.newBuilder().setProtocolVersion(2))
                .setUnknownFields(UNKNOWN)
                .build();
        assertThatExceptionOfType(NotSerializableException.class)
                .isThrownBy(() -> wire.parse(newer.toByteArray(), "R1"))
                .withMessageContaining("received=2 own=1");
    }

    @Test
    void aMissingVersionIsRefused() {
        ToCoordinatorProto without = ToCoordinatorProto.newBuilder()
                .setHeader(HeaderProto.newBuilder().setCommunicator("tp0").setInstance("i"))
                .build();
        assertThatExceptionOfType(NotSerializableException.class)
                .isThrownBy(() -> wire.parse(without.toByteArray(), "C1"))
                .withMessageContaining("no protocol version");
    }

    @Test
    void everyMissingPartIsRefusedUnlessItIsOptional() throws Exception {
        Set<String> accepted = new TreeSet<>();
        forEachVariant(
                field -> field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !field.isRepeated(),
                (part, field) -> part.clearField(field),
                (field, sample, variant) -> {
                    if (isRead(sample, variant)) {
                        accepted.add(field.getFullName());
                    }
                });
        assertThat(accepted).isEqualTo(new TreeSet<>(OPTIONAL_PARTS));
    }

    @Test
    void everyMissingEnumIsRefusedUnlessItsAbsenceIsAValue() throws Exception {
        forEachVariant(
                field -> field.getJavaType() == FieldDescriptor.JavaType.ENUM && !field.isRepeated(),
                (part, field) -> part.clearField(field),
                (field, sample, variant) -> assertThat(isRead(sample, variant))
                        .as(field.getFullName())
                        .isEqualTo(field.hasPresence()));
    }

    @Test
    void everyUnknownEnumNumberIsRefused() throws Exception {
        forEachVariant(
                field -> field.getJavaType() == FieldDescriptor.JavaType.ENUM && !field.isRepeated(),
                (part, field) -> part.setField(field, field.getEnumType().findValueByNumberCreatingIfUnknown(99)),
                (field, sample, variant) -> assertThatExceptionOfType(NotSerializableException.class)
                        .as(field.getFullName())
                        .isThrownBy(() -> parse(sample, variant))
                        .withMessageContaining("number=99"));
    }

    @Test
    void everyUnknownEnumNumberInAListIsRefused() throws Exception {
        forEachVariant(
                field -> field.getJavaType() == FieldDescriptor.JavaType.ENUM && field.isRepeated(),
                (part, field) ->
                        part.addRepeatedField(field, field.getEnumType().findValueByNumberCreatingIfUnknown(99)),
                (field, sample, variant) -> assertThatExceptionOfType(NotSerializableException.class)
                        .as(field.getFullName())
                        .isThrownBy(() -> parse(sample, variant))
                        .withMessageContaining("number=99"));
    }

    private interface Check {
        void accept(FieldDescriptor field, WireMessage sample, Message variant) throws Exception;
    }

    /** Checks every sample with every one of its chosen fields, at any depth, changed in turn. */
    private static void forEachVariant(
            Predicate<FieldDescriptor> chosen, BiConsumer<Message.Builder, FieldDescriptor> change, Check check)
            throws Exception {
        for (WireMessage sample : samples.values()) {
            Message whole = proto(sample);
            for (FieldDescriptor field : fieldsIn(whole)) {
                if (chosen.test(field)) {
                    Message variant = everywhere(whole, part -> {
                        boolean home = part.getDescriptorForType().equals(field.getContainingType());
                        if (home && (field.isRepeated() || !field.hasPresence() || part.hasField(field))) {
                            change.accept(part, field);
                        }
                        return part;
                    });
                    check.accept(field, sample, variant);
                }
            }
        }
    }

    private static Set<FieldDescriptor> fieldsIn(Message message) {
        Set<FieldDescriptor> fields = new LinkedHashSet<>();
        message.getAllFields().forEach((field, value) -> {
            fields.add(field);
            if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                List<?> parts = field.isRepeated() ? (List<?>) value : List.of(value);
                parts.forEach(part -> fields.addAll(fieldsIn((Message) part)));
            }
        });
        return fields;
    }

    /** The message with a change made to it and to every part of it. */
    private static Message everywhere(Message message, UnaryOperator<Message.Builder> change) {
        Message.Builder copy = message.toBuilder();
        message.getAllFields().forEach((field, value) -> {
            if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                if (field.isRepeated()) {
                    List<?> parts = (List<?>) value;
                    for (int i = 0; i < parts.size(); i++) {
                        copy.setRepeatedField(field, i, everywhere((Message) parts.get(i), change));
                    }
                } else {
                    copy.setField(field, everywhere((Message) value, change));
                }
            }
        });
        return change.apply(copy).build();
    }

    private static Message proto(WireMessage sample) throws InvalidProtocolBufferException {
        byte[] bytes = wire.bytes(sample);
        if (sample instanceof ToRank) {
            return ToRankProto.parseFrom(bytes);
        }
        return sample instanceof ProcessExited
                ? ProcessExitedProto.parseFrom(bytes)
                : ToCoordinatorProto.parseFrom(bytes);
    }

    private static WireMessage parse(WireMessage sample, Message variant) throws NotSerializableException {
        return wire.parse(variant.toByteArray(), wire.serializer().manifest(sample));
    }

    private static boolean isRead(WireMessage sample, Message variant) {
        try {
            parse(sample, variant);
            return true;
        } catch (NotSerializableException e) {
            return false;
        }
    }
}
