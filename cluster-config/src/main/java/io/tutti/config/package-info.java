/**
 * Settings: {@code reference.conf} as the manual, profiles, typed records and their validation. Nothing here opens a
 * device or starts an actor. Start with {@code reference.conf}; then {@link io.tutti.config.TuttiSettings} is what it
 * becomes, {@link io.tutti.config.ConfigLoader} puts the layers together for a command line, and
 * {@link io.tutti.config.PekkoSettings} derives the actor system's configuration.
 */
@NullMarked
package io.tutti.config;

import org.jspecify.annotations.NullMarked;
