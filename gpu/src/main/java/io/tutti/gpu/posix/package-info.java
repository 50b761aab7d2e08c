/**
 * Linux system calls through JNA that Java has no word for: sealed shared memory, mappings, descriptors, local sockets
 * that carry descriptors and know their peer, and how much memory this process may still take. No emulation and no policy lives here. Start at {@link io.tutti.gpu.posix.LibC}.
 */
@NullMarked
package io.tutti.gpu.posix;

import org.jspecify.annotations.NullMarked;
