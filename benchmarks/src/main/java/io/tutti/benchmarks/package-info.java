/**
 * Measurements of Tutti beside its peers, taken in one run. Nothing here is needed to use Tutti. Start with the bench
 * command.
 */
@NullMarked
package io.tutti.benchmarks;

import org.jspecify.annotations.NullMarked;
