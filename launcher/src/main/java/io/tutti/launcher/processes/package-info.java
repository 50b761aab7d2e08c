/**
 * A run whose ranks live in several processes of this machine: dealing ranks, starting and watching the rank processes,
 * talking with them, and putting their results together; both ends of the conversation are here. What one process does
 * with its ranks is in {@code io.tutti.launcher.run}. Start with {@link io.tutti.launcher.processes.ProcessesJob} for the
 * launcher's end and {@link io.tutti.launcher.processes.LauncherLink} for the other.
 */
@NullMarked
package io.tutti.launcher.processes;

import org.jspecify.annotations.NullMarked;
