/**
 * The layout of a rank's workspace: signal pad, stages and guards. The only place that computes an offset. Start at {@link io.tutti.gpu.workspace.WorkspaceSpec}.
 */
@NullMarked
package io.tutti.gpu.workspace;

import org.jspecify.annotations.NullMarked;
