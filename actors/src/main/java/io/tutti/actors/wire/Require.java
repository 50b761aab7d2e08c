package io.tutti.actors.wire;

/** What every message has to keep, in both directions. */
final class Require {

    private Require() {}

    /** A submessage or member of a oneof that must be there. */
    static void present(String name, boolean present) {
        if (!present) {
            throw missing(name);
        }
    }

    /** For the empty member of a oneof. */
    static WireFormatException missing(String name) {
        return new WireFormatException(
                "message lacks a required part, or has a form that this build does not know: missing=" + name);
    }

    /** For a record that was added to a sealed type but not to the wire. */
    static WireFormatException unmapped(Object value) {
        return new WireFormatException(
                "no form on the wire for this class: class=" + value.getClass().getName());
    }

    /** A text that must not be empty. */
    static String filled(String name, String text) {
        if (text.isEmpty()) {
            throw new WireFormatException("message lacks a required text: empty=" + name);
        }
        return text;
    }

    /** A count, size or number that is never negative; its sign bit set means nonsense or another build's meaning. */
    static int count(String name, int value) {
        return (int) count(name, (long) value);
    }

    /** As {@link #count(String, int)}. */
    static long count(String name, long value) {
        if (value < 0) {
            throw new WireFormatException("message carries a negative number: " + name + "=" + value);
        }
        return value;
    }
}
