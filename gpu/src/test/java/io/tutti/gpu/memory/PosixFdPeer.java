package io.tutti.gpu.memory;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.Term;
import io.tutti.gpu.driver.CuContext;
import io.tutti.gpu.host.HostDriver;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.host.fault.FaultPlan;
import io.tutti.gpu.process.LocalService;
import io.tutti.gpu.workspace.WorkspaceLayout;
import io.tutti.gpu.workspace.WorkspaceSpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * What a process of a communicator has for sharing memory: a host driver, a service and the transport. Several live in one
 * JVM in tests of the transport, and one in each child process. Everything that was exported or mapped is given back by
 * {@link #close}.
 */
public final class PosixFdPeer implements AutoCloseable {

    public static final UUID COMMUNICATOR = UUID.fromString("00000000-0000-4000-8000-00000000c0de");
    public static final EpochId EPOCH = new EpochId(new Term(2, "coordinator"), 5);

    private final HostDriver driver;
    private final LocalService service;
    private final PosixFdTransport transport;
    private final int world;
    private final List<CuContext> contexts = new ArrayList<>();
    private final Deque<AutoCloseable> undo = new ArrayDeque<>();

    public PosixFdPeer(LocalService service, int world, Duration timeout, String... faults) {
        this.world = world;
        this.service = service;
        driver = HostDriver.builder()
                .topology(Topology.local(world, 16L << 20))
                .faults(FaultPlan.parse(List.of(faults)))
                .build();
        transport = new PosixFdTransport(service, COMMUNICATOR, timeout);
        for (int device = 0; device < world; device++) {
            contexts.add(driver.primaryCtxRetain(device));
        }
    }

    public HostDriver driver() {
        return driver;
    }

    private Sharing sharing(int rank) {
        return new Sharing(EPOCH, rank, world);
    }

    /** Allocates a rank's memory, writes {@code mark} into its first word, and exports it. */
    public ExportedMemory export(int rank, int mark) {
        driver.ctxSetCurrent(contexts.get(rank));
        WorkspaceLayout layout = WorkspaceLayout.of(new WorkspaceSpec(1, 128, 128));
        WorkspaceMemory memory = WorkspaceMemory.allocate(
                driver, rank, new HandleTransports(List.of(transport)), Set.of(HandleKind.POSIX_FD), layout);
        undo.push(memory);
        write(memory.address(), mark);
        MemoryOffer template = new MemoryOffer(
                rank,
                HandleKind.POSIX_FD,
                "host",
                service.processId(),
                memory.bytes(),
                layout.padBytes(),
                EPOCH.epoch(),
                new byte[0]);
        ExportedMemory exported = transport.export(driver, sharing(rank), memory, template);
        undo.push(exported);
        return exported;
    }

    public ImportedMemory map(int rank, MemoryOffer offer) {
        driver.ctxSetCurrent(contexts.get(rank));
        ImportedMemory imported = transport.importOffer(driver, sharing(rank), rank, offer);
        undo.push(imported);
        return imported;
    }

    public int read(long address) {
        ByteBuffer word = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
        driver.memcpyDtoH(word, address);
        return word.getInt(0);
    }

    public void write(long address, int value) {
        driver.memcpyHtoD(
                address,
                ByteBuffer.allocateDirect(Integer.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .putInt(0, value));
    }

    /** An offer as one word of text. */
    public static String text(MemoryOffer offer) {
        return offer.rank() + "," + offer.processId() + "," + offer.bytes() + "," + offer.padBytes() + ","
                + Base64.getEncoder().encodeToString(offer.handle());
    }

    public static MemoryOffer offer(String text) {
        String[] parts = text.split(",");
        return new MemoryOffer(
                Integer.parseInt(parts[0]),
                HandleKind.POSIX_FD,
                "host",
                parts[1],
                Long.parseLong(parts[2]),
                Long.parseLong(parts[3]),
                EPOCH.epoch(),
                Base64.getDecoder().decode(parts[4]));
    }

    @Override
    public void close() throws Exception {
        while (!undo.isEmpty()) {
            undo.pop().close();
        }
        for (int device = 0; device < world; device++) {
            driver.primaryCtxRelease(device);
        }
        driver.close();
    }
}
