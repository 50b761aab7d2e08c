package io.tutti.fidelity;

import io.tutti.gpu.driver.Driver;

/** A driver under test, and processes beside it that share memory with it. */
interface Subject extends AutoCloseable {

    Driver driver();

    /** Another process, with plain memory of one of the devices. */
    Exporter exporter(int device);

    @Override
    void close();

    /** A process that exports; closing ends it, and its memory with it. */
    interface Exporter extends AutoCloseable {

        /** A legacy IPC handle of 1 MiB of plain memory. */
        byte[] handle();

        @Override
        void close();
    }
}
