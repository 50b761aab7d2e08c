/**
 * The command line proper: commands, options, help, and how failures are told. Commands only translate: options become a
 * request, a result becomes text or JSON. Start with {@link io.tutti.launcher.cli.CommandLineProgram}.
 */
@NullMarked
package io.tutti.launcher.cli;

import org.jspecify.annotations.NullMarked;
