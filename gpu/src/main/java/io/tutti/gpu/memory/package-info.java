/**
 * How one rank's memory becomes reachable for its peers: offers and the handle kinds behind them. No decision about which kind is used lives here. Start at {@link io.tutti.gpu.memory.MemoryOffer}.
 */
@NullMarked
package io.tutti.gpu.memory;

import org.jspecify.annotations.NullMarked;
