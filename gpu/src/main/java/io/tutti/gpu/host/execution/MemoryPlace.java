package io.tutti.gpu.host.execution;

import java.nio.ByteBuffer;

/**
 * Where memory physically is, in words that another process of the machine understands: what a rank's kernel tells its
 * peers so that they can read a tensor in place. Reused from call to call and confined to one thread.
 */
public final class MemoryPlace {

    /** Bytes of a place in shared memory. */
    public static final int BYTES = 5 * Long.BYTES;

    private static final int PROCESS = Long.BYTES;
    private static final int SERIAL = 2 * Long.BYTES;
    private static final int ADDRESS = 3 * Long.BYTES;
    private static final int OFFSET = 4 * Long.BYTES;

    private long driver;
    private long process;
    private long serial;
    private long address;
    private long offset;

    /** Takes a place; {@code serial} is not 0. */
    public void set(long inDriver, int pid, int descriptor, long memorySerial, long devicePointer, long memoryOffset) {
        driver = inDriver;
        process = (long) pid << Integer.SIZE | (descriptor & 0xffffffffL);
        serial = memorySerial;
        address = devicePointer;
        offset = memoryOffset;
    }

    /** Forgets it: nobody can read the memory in place. */
    public void clear() {
        set(0, 0, 0, 0, 0, 0);
    }

    public boolean isKnown() {
        return serial != 0;
    }

    /** The driver whose {@link #address} it is. */
    public long driver() {
        return driver;
    }

    public int pid() {
        return (int) (process >> Integer.SIZE);
    }

    /** A descriptor of the whole memory in process {@link #pid}, or −1. */
    public int descriptor() {
        return (int) process;
    }

    /** Tells the memory apart from any other of the machine. */
    public long serial() {
        return serial;
    }

    public long address() {
        return address;
    }

    /** Where in the memory the place is. */
    public long offset() {
        return offset;
    }

    /** Writes it to aligned bytes; a release store of the writer publishes it. */
    public void write(ByteBuffer to, int at) {
        MemoryWindow.LONG.setOpaque(to, at, driver);
        MemoryWindow.LONG.setOpaque(to, at + PROCESS, process);
        MemoryWindow.LONG.setOpaque(to, at + SERIAL, serial);
        MemoryWindow.LONG.setOpaque(to, at + ADDRESS, address);
        MemoryWindow.LONG.setOpaque(to, at + OFFSET, offset);
    }

    /** Reads what {@link #write} wrote, behind an acquire load. */
    public void read(ByteBuffer from, int at) {
        driver = (long) MemoryWindow.LONG.getOpaque(from, at);
        process = (long) MemoryWindow.LONG.getOpaque(from, at + PROCESS);
        serial = (long) MemoryWindow.LONG.getOpaque(from, at + SERIAL);
        address = (long) MemoryWindow.LONG.getOpaque(from, at + ADDRESS);
        offset = (long) MemoryWindow.LONG.getOpaque(from, at + OFFSET);
    }
}
