/**
 * Where the program's logs go: stderr, quiet unless asked. Settings only; nothing here logs. Start with {@link
 * io.tutti.launcher.logging.StderrLogging}.
 */
@NullMarked
package io.tutti.launcher.logging;

import org.jspecify.annotations.NullMarked;
