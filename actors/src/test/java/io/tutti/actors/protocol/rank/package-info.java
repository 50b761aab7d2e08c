/** One test for each row of the rank's table, named by the rule. */
@NullMarked
package io.tutti.actors.protocol.rank;

import org.jspecify.annotations.NullMarked;
