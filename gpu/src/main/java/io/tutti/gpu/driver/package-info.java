/**
 * The driver interface, the only door to hardware: CUDA's calls, handles, attributes and results as Java values. No implementation and no policy lives here. Start at {@link io.tutti.gpu.driver.Driver}.
 */
@NullMarked
package io.tutti.gpu.driver;

import org.jspecify.annotations.NullMarked;
