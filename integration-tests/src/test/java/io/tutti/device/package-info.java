/**
 * The whole runtime on real devices, through the command line, as an operator runs it. Start at {@link
 * io.tutti.device.DeviceRunsTest}.
 */
@NullMarked
package io.tutti.device;

import org.jspecify.annotations.NullMarked;
