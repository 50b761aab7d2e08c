/** Tests of what lives behind the public interfaces. Start with the class that a test is named after. */
@NullMarked
package io.tutti.actors.driver;

import org.jspecify.annotations.NullMarked;
