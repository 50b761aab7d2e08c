/**
 * Tests of the settings: one for each kind of mistake, the defaults, and the layers. Start with
 * {@link io.tutti.config.MistakesTest}.
 */
@NullMarked
package io.tutti.config;

import org.jspecify.annotations.NullMarked;
