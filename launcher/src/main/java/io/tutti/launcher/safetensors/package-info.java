/**
 * Reading and writing files in the safetensors format: eight bytes of header length, a JSON header, the tensors' bytes.
 * Only the format lives here; what the tensors mean to a command does not. A file is untrusted: every way in which it can
 * lie ends in a {@link io.tutti.gpu.TuttiException} with code INPUT. Start with {@link
 * io.tutti.launcher.safetensors.SafetensorsFile}.
 */
@NullMarked
package io.tutti.launcher.safetensors;

import org.jspecify.annotations.NullMarked;
