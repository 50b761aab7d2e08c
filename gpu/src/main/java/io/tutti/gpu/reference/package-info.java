/**
 * Inputs that anybody can make again from a seed, and the digest of outputs: what {@code run}, {@code bench} and the tests
 * compare between paths, drivers and machines. No device and no arithmetic of the operation lives here. Start at {@link
 * io.tutti.gpu.reference.SeededInputs}.
 */
@NullMarked
package io.tutti.gpu.reference;

import org.jspecify.annotations.NullMarked;
