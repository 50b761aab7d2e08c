/**
 * What the processes of one host say to each other without a cluster: one local-socket service per process, which hands
 * descriptors to peers that hold a ticket, and over which a process learns at once that a peer process has died. No
 * driver call and no decision of the protocol lives here. Start at {@link io.tutti.gpu.process.LocalService}.
 */
@NullMarked
package io.tutti.gpu.process;

import org.jspecify.annotations.NullMarked;
