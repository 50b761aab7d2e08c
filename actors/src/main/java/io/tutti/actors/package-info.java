/**
 * The public API, the actors and the pure protocol core that they drive. Nothing here calls a device driver except
 * through the {@code gpu} module, and nothing parses a command line. Start with the API, then the protocol core.
 */
@NullMarked
package io.tutti.actors;

import org.jspecify.annotations.NullMarked;
