/**
 * Settings: {@code reference.conf} as the manual, profiles, typed records and their validation. Nothing here opens a
 * device or starts an actor. Start with {@code reference.conf}.
 */
@NullMarked
package io.tutti.config;

import org.jspecify.annotations.NullMarked;
