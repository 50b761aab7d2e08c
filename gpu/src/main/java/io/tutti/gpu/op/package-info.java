/**
 * The fused operation: requests, what fits, launches and their status. Start at {@link io.tutti.gpu.op.CallDescriptor}.
 */
@NullMarked
package io.tutti.gpu.op;

import org.jspecify.annotations.NullMarked;
