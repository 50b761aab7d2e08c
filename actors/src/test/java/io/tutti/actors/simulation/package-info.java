/**
 * The protocol cores of all ranks and of the coordinator in virtual time, under seeded delays, loss, doubling, failures,
 * deaths and moves, with the protocol's promises checked after every step. Tests only: nothing of it is in the product.
 * Start reading at {@link io.tutti.actors.simulation.Simulation}, then {@link io.tutti.actors.simulation.Promises}.
 */
@NullMarked
package io.tutti.actors.simulation;

import org.jspecify.annotations.NullMarked;
