package io.tutti.gpu.model;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What keeps the protocol right. A model without one of them is a deliberate fault. */
enum Rule {
    /** Senders turn a real sentinel into its twin; without it rank 0 pushes one in its second call. */
    SENTINEL_CLEANED,
    /** All words of a vector are looked at; without it only the first. */
    EVERY_WORD_CHECKED,
    /** A vector is cleared by who has read it. */
    CLEARED_WHEN_READ,
    /** What is cleared is what the call used; without it the next call clears, by the next call's size. */
    CLEARED_BY_ITS_OWN_SIZE,
    /** Clearing comes behind reading; without it a call clears the stage of the next one instead. */
    CLEARED_BEHIND_READING,
    /** Who reads clears; without it the next call clears what this call used, as the host driver's kernels may. */
    CLEARED_AT_ONCE,
    /** Headers are cleared when they have matched. */
    HEADER_CLEARED,
    /** Success needs the headers of all peers. */
    HEADER_MATCHED,
    /** A header has to be that of this call; without it any will do. */
    HEADER_COMPARED,
    /** A header names the sequence; without it only the fingerprint. */
    HEADER_HAS_SEQUENCE,
    /** Nothing happens before all blocks of the kernel before have ended. */
    PREDECESSOR_AWAITED,
    /** A block's stores have been performed when it arrives at the end. */
    RELEASED_BEFORE_ARRIVAL,
    /** Clearing is among the stores that these releases wait for. */
    CLEARING_RELEASED,
    /** The first block's stores have been performed when the status is published. */
    RELEASED_BEFORE_STATUS,
    /** The first block closes the call when all others have left. */
    BLOCKS_AWAITED,
    /** What any block found decides the status; without it only what the first block found. */
    OUTCOME_OF_ALL_BLOCKS,
    /** Abort words are looked at before the first push. */
    LOOKED_BEFORE_PUSH,
    /** Abort words are looked at in every wait. */
    LOOKED_IN_WAITS,
    /** The first block looks at the word that its host maps, and passes it on. */
    HOST_WORD_READ,
    /** Who fails tells all ranks. */
    FAILURE_TOLD,
    /** Abort words stay; without it a kernel that leaves because of one resets it. */
    ABORT_STAYS,
    /** An abort word names the epoch up to which it aborts; without it any word aborts. */
    ABORT_NAMES_EPOCH,
    /** The captured epoch is compared at entry. */
    EPOCH_COMPARED,
    /** Memory is used again only when every rank that could write to it has drained. */
    DRAINED_BEFORE_REUSE,
    /** Memory is armed before it is used again. */
    ARMED,
    /** A rank enters an epoch when all have armed. */
    ALL_ARMED_BEFORE_COMMIT,
    /** Three stages take turns; without it two. */
    THREE_STAGES;

    /** Rules that are not needed while all others hold; {@code FaultsTest} says what they are for. */
    static final Set<Rule> MARGINS = EnumSet.of(THREE_STAGES, CLEARED_AT_ONCE, HEADER_HAS_SEQUENCE);

    /** All rules but these. */
    static Set<Rule> without(Rule... broken) {
        Set<Rule> rules = EnumSet.allOf(Rule.class);
        List.of(broken).forEach(rules::remove);
        return rules;
    }
}
