/**
 * Planning: facts of all ranks and the site's policy in, one plan or typed reasons out. Pure functions and values only; nothing here touches a device. Start at {@link io.tutti.gpu.plan.PathPlanner}.
 */
@NullMarked
package io.tutti.gpu.plan;

import org.jspecify.annotations.NullMarked;
