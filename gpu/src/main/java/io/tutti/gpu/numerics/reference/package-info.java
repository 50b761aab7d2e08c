/**
 * What results are judged by: the canonical order once more, as plainly as it can be written, and the same operation in
 * float64. Nothing here may share code with the package above it, conversions included, or both could be wrong together;
 * nothing here may care for speed at the price of a reader. Start with {@link
 * io.tutti.gpu.numerics.reference.ScalarReference}.
 */
@NullMarked
package io.tutti.gpu.numerics.reference;

import org.jspecify.annotations.NullMarked;
