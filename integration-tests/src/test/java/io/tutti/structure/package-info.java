/**
 * Tests of the source's own structure: which module may use which, and what every package has. Nothing here runs the
 * system. Start with {@link io.tutti.structure.ModuleDependenciesTest}.
 */
@NullMarked
package io.tutti.structure;

import org.jspecify.annotations.NullMarked;
