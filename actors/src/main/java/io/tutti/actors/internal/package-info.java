/**
 * The actors and the runtime objects behind the public API. Actors here are thin shells: they feed events to the
 * protocol cores and carry out their commands on devices, timers and messages; no protocol decision is made here.
 * Start at {@code NodeActor}, then {@code RankActor} and {@code CoordinatorActor}.
 */
@NullMarked
package io.tutti.actors.internal;

import org.jspecify.annotations.NullMarked;
