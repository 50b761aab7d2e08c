@NullMarked
package io.tutti.launcher.preflight;

import org.jspecify.annotations.NullMarked;
