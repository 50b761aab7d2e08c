package io.tutti.gpu.rank;

import io.tutti.gpu.EpochId;
import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.UndoStack;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.abi.PadHeader;
import io.tutti.gpu.driver.CuStream;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.memory.ExportedMemory;
import io.tutti.gpu.memory.HandleException;
import io.tutti.gpu.memory.HandleTransport;
import io.tutti.gpu.memory.ImportedMemory;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.memory.Sharing;
import io.tutti.gpu.memory.WorkspaceMemory;
import io.tutti.gpu.plan.EpochPlan;
import io.tutti.gpu.workspace.WorkspaceLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One epoch's memory on one rank: its own workspace, the handles given out for it, and the peers' workspaces mapped here.
 * Confined to the rank's thread, except {@link #workspaces()}.
 */
final class EpochMemory {

    private final Driver driver;
    private final RankDevice.Settings settings;
    private final EpochId epoch;
    private final EpochPlan plan;
    private final WorkspaceLayout layout;
    private final Set<HandleKind> kinds;
    private final WorkspaceMemory own;
    private final Sharing sharing;
    private final UndoStack exports = new UndoStack();
    private final UndoStack imports = new UndoStack();
    private final long[] workspaces;
    private boolean guarded;

    private EpochMemory(
            Driver driver,
            RankDevice.Settings settings,
            EpochId epoch,
            EpochPlan plan,
            WorkspaceLayout layout,
            Set<HandleKind> kinds,
            WorkspaceMemory own) {
        this.driver = driver;
        this.settings = settings;
        this.epoch = epoch;
        this.plan = plan;
        this.layout = layout;
        this.kinds = kinds;
        this.own = own;
        this.sharing = new Sharing(epoch, settings.rank(), settings.worldSize());
        this.workspaces = new long[settings.worldSize()];
        workspaces[settings.rank()] = own.address();
    }

    static EpochMemory allocate(Driver driver, RankDevice.Settings settings, EpochId epoch, EpochPlan plan) {
        WorkspaceLayout layout = WorkspaceLayout.of(plan.workspace());
        if (plan.workspace().worldSize() != settings.worldSize()) {
            throw new TuttiException(ErrorInfo.of(
                    ErrorCode.INTERNAL,
                    "the plan is for another world: planned=" + plan.workspace().worldSize() + " worldSize="
                            + settings.worldSize(),
                    "Report this; the plan does not belong to the communicator."));
        }
        Set<HandleKind> kinds = new TreeSet<>(plan.handleKinds().values());
        WorkspaceMemory own =
                WorkspaceMemory.allocate(driver, settings.deviceOrdinal(), settings.transports(), kinds, layout);
        return new EpochMemory(driver, settings, epoch, plan, layout, kinds, own);
    }

    EpochId epoch() {
        return epoch;
    }

    EpochPlan plan() {
        return plan;
    }

    WorkspaceLayout layout() {
        return layout;
    }

    /** Where each rank's workspace is mapped; 0 for a peer's before its import. */
    long[] workspaces() {
        return workspaces;
    }

    /** Zeroes the whole workspace, then writes the pad's header and the guards; the stream is not yet synchronised. */
    void zero(CuStream stream) {
        driver.memsetD32Async(own.address(), 0, own.bytes() / Integer.BYTES, stream);
    }

    /** Writes the pad's header and the guards into zeroed memory. */
    void writeHeader() {
        ByteBuffer header = buffer(PadHeader.SIZE);
        header.putInt(PadHeader.MAGIC, KernelAbi.PAD_MAGIC)
                .putInt(PadHeader.ABI_VERSION, KernelAbi.VERSION)
                .putInt(PadHeader.WORLD, settings.worldSize())
                .putInt(PadHeader.RANK, settings.rank())
                .putLong(PadHeader.TERM, epoch.term().counter())
                .putLong(PadHeader.EPOCH, epoch.epoch())
                .putLong(PadHeader.BYTES_TOTAL, layout.totalBytes());
        driver.memcpyHtoD(own.address(), header);
        ByteBuffer guard = buffer(WorkspaceLayout.GUARD_BYTES);
        for (int at = 0; at < WorkspaceLayout.GUARD_BYTES; at += Integer.BYTES) {
            guard.putInt(at, KernelAbi.GUARD_WORD);
        }
        driver.memcpyHtoD(own.address() + layout.padGuardOffset(), guard);
        driver.memcpyHtoD(own.address() + layout.endGuardOffset(), guard);
        guarded = true;
    }

    List<MemoryOffer> export() {
        List<MemoryOffer> offers = new ArrayList<>();
        for (HandleKind kind : kinds) {
            MemoryOffer template = new MemoryOffer(
                    settings.rank(),
                    kind,
                    settings.hostId(),
                    settings.processId(),
                    own.bytes(),
                    layout.padBytes(),
                    epoch.epoch(),
                    new byte[0]);
            ExportedMemory exported = export(template);
            exports.push(exported::close);
            offers.add(exported.offer());
        }
        return offers;
    }

    private ExportedMemory export(MemoryOffer template) {
        try {
            return settings.transports().of(template.kind()).export(driver, sharing, own, template);
        } catch (TuttiException e) {
            throw new HandleException(template.kind(), e.info().onRank(settings.rank()), e);
        }
    }

    /** Validates all offers, then maps each peer's workspace and compares its header with what this rank expects. */
    void importPeers(List<MemoryOffer> offers) {
        @Nullable
        MemoryOffer[] chosen = new OfferCheck(settings, epoch, plan, own.bytes(), layout.padBytes()).choose(offers);
        for (MemoryOffer offer : chosen) {
            if (offer != null) {
                ImportedMemory imported = importOffer(offer);
                imports.push(imported::close);
                requireHeader(offer.rank(), imported.address());
                workspaces[offer.rank()] = imported.address();
            }
        }
    }

    private ImportedMemory importOffer(MemoryOffer offer) {
        try {
            HandleTransport transport = settings.transports().of(offer.kind());
            return transport.importOffer(driver, sharing, settings.deviceOrdinal(), offer);
        } catch (TuttiException e) {
            ErrorInfo info = e.info();
            throw new HandleException(
                    offer.kind(),
                    new ErrorInfo(
                            info.code(),
                            settings.rank(),
                            info.call() == null ? "import" : info.call(),
                            info.result(),
                            "rank " + settings.rank() + " cannot map rank " + offer.rank() + "'s workspace: "
                                    + info.message(),
                            info.advice()),
                    e);
        }
    }

    private void requireHeader(int rank, long address) {
        ByteBuffer header = buffer(PadHeader.SIZE);
        driver.memcpyDtoH(header, address);
        boolean matches = header.getInt(PadHeader.MAGIC) == KernelAbi.PAD_MAGIC
                && header.getInt(PadHeader.ABI_VERSION) == KernelAbi.VERSION
                && header.getInt(PadHeader.WORLD) == settings.worldSize()
                && header.getInt(PadHeader.RANK) == rank
                && header.getLong(PadHeader.EPOCH) == epoch.epoch()
                && header.getLong(PadHeader.BYTES_TOTAL) == layout.totalBytes();
        if (!matches) {
            throw new TuttiException(new ErrorInfo(
                    ErrorCode.PREFLIGHT,
                    rank,
                    "import",
                    null,
                    "the mapped memory is not rank " + rank + "'s signal pad of " + epoch + ": magic=0x"
                            + Integer.toHexString(header.getInt(PadHeader.MAGIC)) + " abiVersion="
                            + header.getInt(PadHeader.ABI_VERSION) + " world=" + header.getInt(PadHeader.WORLD)
                            + " rank=" + header.getInt(PadHeader.RANK) + " epoch=" + header.getLong(PadHeader.EPOCH),
                    "All ranks must run the same build; otherwise report this."));
        }
    }

    /** Throws when somebody wrote past the pad or past the stages of this rank's workspace, once these are guarded. */
    void requireGuards() {
        if (guarded) {
            requireGuard("pad", layout.padGuardOffset());
            requireGuard("stages", layout.endGuardOffset());
        }
    }

    private void requireGuard(String part, long offset) {
        ByteBuffer guard = buffer(WorkspaceLayout.GUARD_BYTES);
        driver.memcpyDtoH(guard, own.address() + offset);
        for (int at = 0; at < WorkspaceLayout.GUARD_BYTES; at += Integer.BYTES) {
            if (guard.getInt(at) != KernelAbi.GUARD_WORD) {
                throw new TuttiException(new ErrorInfo(
                        ErrorCode.INTERNAL,
                        settings.rank(),
                        null,
                        null,
                        "the guard after the " + part + " was overwritten: offset=" + (offset + at) + " word=0x"
                                + Integer.toHexString(guard.getInt(at)),
                        "Results of " + epoch + " are not to be trusted; report this."));
            }
        }
    }

    PadSnapshot snapshot() {
        int world = settings.worldSize();
        ByteBuffer pad = buffer((int) layout.padBytes());
        driver.memcpyDtoH(pad, own.address());
        List<Long> started = new ArrayList<>();
        List<Integer> aborted = new ArrayList<>();
        for (int rank = 0; rank < world; rank++) {
            started.add(pad.getLong((int) layout.channel(rank)));
        }
        for (int slot = 0; slot < 2 * world; slot++) {
            aborted.add(pad.getInt((int) layout.abortSlotsOffset() + slot * Integer.BYTES));
        }
        return new PadSnapshot(settings.rank(), epoch, started, aborted);
    }

    /** Withdraws the handles, once every rank has imported; idempotent. What is mapped stays mapped. */
    void withdraw() {
        exports.close();
    }

    /**
     * Unmaps the peers, withdraws the handles and frees the own workspace, except where a peer's process may still have it
     * open by legacy IPC.
     *
     * @param kept takes what may not be freed yet
     */
    void release(KeptMemory kept) {
        try (UndoStack all = new UndoStack()) {
            all.push(kinds.contains(HandleKind.LEGACY_IPC) ? () -> kept.untilImportersAreGone(own) : own::close);
            all.push(exports::close);
            all.push(imports::close);
        }
    }

    /**
     * Unmaps the peers and withdraws the handles, but gives the own memory to nobody else.
     *
     * @param kept takes the own memory, which is to be closed when no peer can write to it any more
     */
    void abandon(KeptMemory kept) {
        try (UndoStack all = new UndoStack()) {
            all.push(exports::close);
            all.push(imports::close);
        }
        if (own.isPlain() || kinds.contains(HandleKind.IN_PROCESS)) {
            kept.abandon(own);
        } else {
            // Peers of other processes keep the physical memory alive by their own mappings; ours may go now.
            kept.count(own);
            own.close();
        }
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }
}
