/**
 * The layout of a rank's workspace: signal pad, stages and guards. The only place that computes an offset; no memory is
 * touched here. Start at {@link io.tutti.gpu.workspace.WorkspaceLayout}.
 */
@NullMarked
package io.tutti.gpu.workspace;

import org.jspecify.annotations.NullMarked;
