/**
 * The protocol core: what coordinator and ranks say to each other and how each decides, as pure functions from state
 * and event to state and commands. No clock, no I/O, no actor lives here; time enters as events. Start reading at
 * {@link io.tutti.actors.protocol.Stage}, then the two message types, then the two cores.
 */
@NullMarked
package io.tutti.actors.protocol;

import org.jspecify.annotations.NullMarked;
