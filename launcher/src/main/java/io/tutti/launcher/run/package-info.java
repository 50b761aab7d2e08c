/**
 * The main job without a command line: given a request and a runtime, form the communicators, run the operation, check
 * every element, and return a result. Only Tutti's public API is used, and nothing here prints or parses. Start with
 * {@link io.tutti.launcher.run.RunJob}.
 */
@NullMarked
package io.tutti.launcher.run;

import org.jspecify.annotations.NullMarked;
