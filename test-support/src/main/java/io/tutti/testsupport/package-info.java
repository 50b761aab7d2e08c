/**
 * Helpers for the tests of all other modules: deadlines, seeded loops, assertions. It depends on no other module, so that
 * every module can use it.
 */
@NullMarked
package io.tutti.testsupport;

import org.jspecify.annotations.NullMarked;
