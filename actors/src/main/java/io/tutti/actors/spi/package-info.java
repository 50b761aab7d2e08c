/**
 * Extension points that a process finds as services on its class path. Interfaces only.
 */
@NullMarked
package io.tutti.actors.spi;

import org.jspecify.annotations.NullMarked;
