package io.tutti.gpu.plan;

import java.util.Optional;

/**
 * The process that a rank lives in.
 *
 * @param id identifies the process incarnation
 * @param user whom it runs as, as name and number; empty where it is not known
 * @param pidNamespace the namespace of process ids; processes of two see each other's memory by no legacy IPC. Empty where
 *     it is not known
 * @param visibleDevices {@code CUDA_VISIBLE_DEVICES}, which gives and orders the devices of a real driver; empty where it is
 *     not set, or where it means nothing
 */
public record ProcessFacts(String id, String user, String pidNamespace, Optional<String> visibleDevices) {}
