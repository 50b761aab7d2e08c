package io.tutti.gpu.reference;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 over an operation's outputs: all of {@code residual_out}, then all of {@code norm_out}; for an operation without
 * norm, all of the plain sum. Tensors are given in pieces, in order. Confined to one thread.
 */
public final class OutputDigest {

    private final MessageDigest digest;

    public OutputDigest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Adds a buffer's remaining bytes; its position does not move. */
    public OutputDigest add(ByteBuffer bytes) {
        digest.update(bytes.duplicate());
        return this;
    }

    /** The digest in lower-case hexadecimal; the instance starts again. */
    public String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
