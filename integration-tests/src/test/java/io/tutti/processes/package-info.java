/**
 * The program with a process for each group of ranks, as real processes: results, signals, deaths, and what is left
 * behind. Start with {@link io.tutti.processes.TuttiProgram}.
 */
@NullMarked
package io.tutti.processes;

import org.jspecify.annotations.NullMarked;
