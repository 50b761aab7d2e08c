/**
 * Holds the host driver to the hardware: one script of driver calls that runs on either driver, the hardware's answers
 * recorded as resources, and the test that compares them row by row. Nothing here knows the host driver's rules; they are
 * what is judged. Start at {@link io.tutti.fidelity.ProbeScript} for the calls and at
 * {@link io.tutti.fidelity.FidelityTest} for the judgement; {@link io.tutti.fidelity.Recorder} makes a recording.
 */
@NullMarked
package io.tutti.fidelity;

import org.jspecify.annotations.NullMarked;
