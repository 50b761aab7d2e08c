/**
 * How another module adds a command to the command line: it provides a {@link io.tutti.launcher.spi.CommandProvider} as a
 * service. Nothing here knows which commands there are.
 */
@NullMarked
package io.tutti.launcher.spi;

import org.jspecify.annotations.NullMarked;
