/**
 * Which driver a process uses, decided from the settings and from what the machine has, before any actor exists. Start at
 * {@link io.tutti.actors.driver.Drivers}.
 */
@NullMarked
package io.tutti.actors.driver;

import org.jspecify.annotations.NullMarked;
