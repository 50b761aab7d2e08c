/**
 * The CUDA driver's calls as a Java interface, the structs that some of them take, and the codes and flags of CUDA's
 * header that they need. No binding and no policy lives here. Start at {@link io.tutti.gpu.cuda.calls.CudaCalls}.
 */
@NullMarked
package io.tutti.gpu.cuda.calls;

import org.jspecify.annotations.NullMarked;
