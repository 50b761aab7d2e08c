/**
 * The JCuda binding: what JCuda carries right goes through it, the rest to another binding. All of JCuda's traits are
 * dealt with here: its loading, its handles, its exceptions. Start at {@link io.tutti.gpu.cuda.jcuda.JCudaBinding}.
 */
@NullMarked
package io.tutti.gpu.cuda.jcuda;

import org.jspecify.annotations.NullMarked;
