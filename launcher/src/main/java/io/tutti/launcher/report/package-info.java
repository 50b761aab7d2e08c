/**
 * Results and failures as people and programs read them: JSON with fixed names, and text. Pure: values in, characters
 * out. Start with {@link io.tutti.launcher.report.RunJson}.
 */
@NullMarked
package io.tutti.launcher.report;

import org.jspecify.annotations.NullMarked;
