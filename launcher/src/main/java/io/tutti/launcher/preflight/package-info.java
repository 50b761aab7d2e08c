/**
 * Forming communicators without running anything on them: what was agreed or why nothing was, and what each rank can and
 * cannot use, from its facts and from what was refused when tried. Start at {@link io.tutti.launcher.preflight.PreflightJob}.
 */
@NullMarked
package io.tutti.launcher.preflight;

import org.jspecify.annotations.NullMarked;
