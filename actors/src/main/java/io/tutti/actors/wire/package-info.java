/**
 * How messages look between processes: the envelopes that actors send each other, the mapping between the protocol's
 * records and their protobuf forms, and the serialiser. Nothing here decides anything, and nothing outside sees a
 * protobuf class. Start at {@link io.tutti.actors.wire.TuttiSerializer}; {@code docs/wire.md} has the rules.
 */
@NullMarked
package io.tutti.actors.wire;

import org.jspecify.annotations.NullMarked;
