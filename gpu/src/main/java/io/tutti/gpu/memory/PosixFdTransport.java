package io.tutti.gpu.memory;

import io.tutti.gpu.ErrorCode;
import io.tutti.gpu.ErrorInfo;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.TuttiException;
import io.tutti.gpu.UndoStack;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.driver.ShareableHandle;
import io.tutti.gpu.driver.ShareableType;
import io.tutti.gpu.process.DescriptorExport;
import io.tutti.gpu.process.FetchedDescriptor;
import io.tutti.gpu.process.LocalService;
import io.tutti.gpu.process.ShareKey;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * {@link HandleKind#POSIX_FD}: the driver's descriptor goes from the owner's process to a peer's over the local socket of
 * the owner's process. The handle in the offer holds that socket's address and the secret of the tickets. The exporter
 * keeps its descriptor until every other rank has mapped the memory, or until the export is closed.
 */
public final class PosixFdTransport implements HandleTransport {

    private final LocalService service;
    private final UUID communicator;
    private final Duration timeout;

    /**
     * @param service this process's local-socket service
     * @param communicator the UUID of the communicator's instance
     * @param timeout for one import, from connecting to confirming
     */
    public PosixFdTransport(LocalService service, UUID communicator, Duration timeout) {
        this.service = service;
        this.communicator = communicator;
        this.timeout = timeout;
    }

    @Override
    public HandleKind kind() {
        return HandleKind.POSIX_FD;
    }

    @Override
    public MemoryNeed need() {
        return new MemoryNeed.Virtual(ShareableType.POSIX_FD);
    }

    @Override
    public ExportedMemory export(Driver driver, Sharing sharing, WorkspaceMemory memory, MemoryOffer template) {
        ShareableHandle shared = driver.memExportToShareableHandle(memory.handle(), ShareableType.POSIX_FD);
        if (!(shared instanceof ShareableHandle.PosixFd posix)) {
            throw new IllegalStateException("the driver gave another handle type: " + shared);
        }
        Set<Integer> importers = IntStream.range(0, sharing.worldSize())
                .filter(rank -> rank != sharing.rank())
                .boxed()
                .collect(Collectors.toSet());
        ShareKey key = new ShareKey(communicator, sharing.rank(), sharing.epoch());
        DescriptorExport export = service.publish(key, posix.fd(), importers);
        return new Exported(template.withHandle(export.handle()), export::close);
    }

    @Override
    public ImportedMemory importOffer(Driver driver, Sharing sharing, int device, MemoryOffer offer) {
        long deadline = System.nanoTime() + timeout.toNanos();
        ShareKey key = new ShareKey(communicator, offer.rank(), sharing.epoch());
        try (FetchedDescriptor fetched = FetchedDescriptor.fetch(offer.handle(), key, sharing.rank(), deadline);
                UndoStack undo = new UndoStack()) {
            ImportedMemory imported =
                    Imported.map(driver, device, new ShareableHandle.PosixFd(fetched.descriptor()), offer.bytes());
            undo.push(imported::close);
            fetched.closeDescriptor();
            fetched.confirm();
            undo.keep();
            return imported;
        } catch (DriverException e) {
            throw refused(sharing, offer, e);
        } catch (IOException e) {
            throw unreachable(sharing, offer, e);
        } catch (IllegalArgumentException e) {
            throw new TuttiException(
                    failed(sharing, offer, ErrorCode.PREFLIGHT, null, null, e.getMessage(), "Report this."), e);
        }
    }

    private TuttiException refused(Sharing sharing, MemoryOffer offer, DriverException e) {
        return new TuttiException(
                failed(
                        sharing,
                        offer,
                        ErrorCode.PREFLIGHT,
                        e.call(),
                        e.result().name(),
                        "the driver answered " + e.result().code() + " at " + e.call() + " (" + e.getMessage() + ")",
                        e.info().advice()),
                e);
    }

    private TuttiException unreachable(Sharing sharing, MemoryOffer offer, IOException e) {
        ErrorCode code;
        String advice;
        if (e instanceof SocketTimeoutException) {
            code = ErrorCode.TIMEOUT;
            advice = "The exporter's process is stopped or overloaded.";
        } else if (e instanceof ConnectException || e instanceof EOFException) {
            code = ErrorCode.REMOTE;
            advice = "The exporter's process has ended, or has withdrawn the memory.";
        } else {
            code = ErrorCode.PREFLIGHT;
            advice = "Look at the log of the exporter's process.";
        }
        return new TuttiException(failed(sharing, offer, code, null, null, e.getMessage(), advice), e);
    }

    private ErrorInfo failed(
            Sharing sharing,
            MemoryOffer offer,
            ErrorCode code,
            @Nullable String call,
            @Nullable String result,
            @Nullable String what,
            String advice) {
        return new ErrorInfo(
                code,
                sharing.rank(),
                call == null ? "posix-fd" : call,
                result,
                "rank " + sharing.rank() + " of process " + service.processId() + " cannot use the memory of rank "
                        + offer.rank() + " of process " + offer.processId() + " by posix-fd: " + what,
                advice);
    }
}
