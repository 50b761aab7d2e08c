/**
 * What host code and kernels of both drivers agree on, byte for byte: the control block, the launch parameters, the
 * status records and their codes. A change here is a change of {@link io.tutti.gpu.abi.KernelAbi#VERSION}. Offsets into
 * a workspace belong to {@link io.tutti.gpu.workspace.WorkspaceLayout} instead. Start at {@link
 * io.tutti.gpu.abi.ControlBlock}.
 */
@NullMarked
package io.tutti.gpu.abi;

import org.jspecify.annotations.NullMarked;
