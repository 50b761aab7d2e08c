/**
 * Faults that the host driver is told to answer with: rules, their text form, and the plan that counts them. Nothing here
 * knows what a call does. Start at {@link io.tutti.gpu.host.fault.FaultPlan}.
 */
@NullMarked
package io.tutti.gpu.host.fault;

import org.jspecify.annotations.NullMarked;
