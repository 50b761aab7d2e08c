/**
 * The coordinator's half of the protocol core. Nothing here knows an actor, a clock or a device. Start reading at
 * {@link io.tutti.actors.protocol.coordinator.CoordinatorCore}, the table of phases and events, then
 * {@link io.tutti.actors.protocol.coordinator.FailurePolicy}, the table of what follows a failure.
 */
@NullMarked
package io.tutti.actors.protocol.coordinator;

import org.jspecify.annotations.NullMarked;
