package io.tutti.gpu.memory;

/** An offer, and what withdraws its handle; the latter may run more than once. */
record Exported(MemoryOffer offer, Runnable withdraw) implements ExportedMemory {

    /** A handle that is plain data: there is nothing to withdraw. */
    static Exported plainData(MemoryOffer offer) {
        return new Exported(offer, () -> {});
    }

    @Override
    public void close() {
        withdraw.run();
    }
}
