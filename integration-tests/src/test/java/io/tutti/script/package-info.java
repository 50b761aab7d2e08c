/**
 * Tests of the script {@code ./tutti} with a build and a JVM that only take notes, so that they are quick and nothing is
 * compiled. What the real program prints is tested elsewhere. Start with {@link io.tutti.script.StartScriptTest}.
 */
@NullMarked
package io.tutti.script;

import org.jspecify.annotations.NullMarked;
