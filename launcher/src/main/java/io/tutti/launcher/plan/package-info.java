/**
 * Planning without devices: the facts that ranks on an emulated machine would report, and the planner's answer to them.
 * Nothing is started. Start at {@link io.tutti.launcher.plan.EmulatedFacts}.
 */
@NullMarked
package io.tutti.launcher.plan;

import org.jspecify.annotations.NullMarked;
