/**
 * A rank's half of the protocol core. Nothing here knows an actor, a clock or a device. Start reading at
 * {@link io.tutti.actors.protocol.rank.RankCore}, the table of phases and events.
 */
@NullMarked
package io.tutti.actors.protocol.rank;

import org.jspecify.annotations.NullMarked;
