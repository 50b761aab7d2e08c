/** One test for each row of the coordinator's table, named by the rule. */
@NullMarked
package io.tutti.actors.protocol.coordinator;

import org.jspecify.annotations.NullMarked;
