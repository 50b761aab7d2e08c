/**
 * Collecting facts: where a process is and what its devices promise, asked from the operating system and the driver.
 * No decision is made here; that is the planner's. Start at {@link io.tutti.gpu.facts.FactsCollector}.
 */
@NullMarked
package io.tutti.gpu.facts;

import org.jspecify.annotations.NullMarked;
