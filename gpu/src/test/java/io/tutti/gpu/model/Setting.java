package io.tutti.gpu.model;

import java.util.Set;

/**
 * What a model is made of.
 *
 * @param reduced whether stores whose time does not matter are performed at one time only, see {@link Machine}
 */
record Setting(Scenario scenario, Set<Rule> rules, Layout layout, boolean reduced) {

    boolean has(Rule rule) {
        return rules.contains(rule);
    }
}
