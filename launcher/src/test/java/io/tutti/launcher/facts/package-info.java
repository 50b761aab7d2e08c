@NullMarked
package io.tutti.launcher.facts;

import org.jspecify.annotations.NullMarked;
