package io.tutti.gpu.plan;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;

/** The hash that ranks compare before any of them allocates: equal hashes mean equal paths, kinds, sizes and geometry. */
public final class PlanHash {

    private PlanHash() {}

    /** SHA-256 in hex over everything of the plan that a kernel or a mapping depends on; reasons are not part of it. */
    public static String of(EpochPlan plan, int abiVersion) {
        String text = "abi=" + abiVersion + " path=" + plan.path().wireName() + " kinds="
                + new TreeMap<>(plan.handleKinds()) + " workspace=" + plan.workspace() + " ranksPerDevice="
                + plan.ranksPerDevice() + " algorithm="
                + plan.algorithm().map(Enum::name).orElse("auto");
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
