package io.tutti.gpu.model;

/** Why a kernel left; the codes of {@code io.tutti.gpu.abi.StatusCode} that the protocol can lead to. */
enum Status {
    NONE,
    OK,
    STALE,
    ABORTED,
    TIMEOUT,
    MISMATCH
}
