/**
 * Facts of ranks as JSON: how they are written, how a file of them is saved whole and read back, and what is wrong with one
 * that cannot be used. Start at {@link io.tutti.launcher.facts.FactsFile}.
 */
@NullMarked
package io.tutti.launcher.facts;

import org.jspecify.annotations.NullMarked;
