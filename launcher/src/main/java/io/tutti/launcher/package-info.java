/**
 * The command line: options in, one result out. What a program that embeds Tutti could need belongs in the modules
 * below instead. Start with the main class.
 */
@NullMarked
package io.tutti.launcher;

import org.jspecify.annotations.NullMarked;
