/**
 * Where a command's files go: judged before anything starts, so that no result is lost to a name that cannot be written.
 * What is written is the business of others. Start with {@link io.tutti.launcher.files.TargetFile}.
 */
@NullMarked
package io.tutti.launcher.files;

import org.jspecify.annotations.NullMarked;
