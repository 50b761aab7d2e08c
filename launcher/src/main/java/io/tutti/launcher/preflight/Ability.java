package io.tutti.launcher.preflight;

/**
 * Whether a rank can use something, as far as its facts and what was tried say.
 *
 * @param what a handle kind, {@code peer-access} or {@code multicast}
 * @param reason why not, or what a yes rests on
 * @param advice what to do about a no; empty for a yes
 */
public record Ability(String what, boolean usable, String reason, String advice) {

    static Ability yes(String what, String reason) {
        return new Ability(what, true, reason, "");
    }

    static Ability no(String what, String reason, String advice) {
        return new Ability(what, false, reason, advice);
    }
}
