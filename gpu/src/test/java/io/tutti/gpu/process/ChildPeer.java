package io.tutti.gpu.process;

import io.tutti.gpu.TuttiException;
import io.tutti.gpu.memory.ExportedMemory;
import io.tutti.gpu.memory.ImportedMemory;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.memory.PosixFdPeer;
import io.tutti.gpu.posix.LocalSocket;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The main class of a child process: one service, one driver, and commands to share memory, to link and to misbehave. The
 * argument is the world size.
 */
final class ChildPeer implements PeerListener {

    private final List<String> openBefore = OpenDescriptors.now();
    private final LocalService service;
    private final PosixFdPeer peer;
    private final Map<Integer, ImportedMemory> mapped = new HashMap<>();
    private final Map<Integer, ExportedMemory> exported = new HashMap<>();
    private final List<AutoCloseable> kept = new ArrayList<>();

    private ChildPeer(int world) {
        service = LocalService.start(ProcessHandle.current().pid() + "-" + UUID.randomUUID());
        peer = new PosixFdPeer(service, world, Duration.ofSeconds(10));
    }

    public static void main(String[] arguments) throws Exception {
        ChildPeer child = new ChildPeer(Integer.parseInt(arguments[0]));
        say("ready " + child.service.processId());
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            try {
                child.run(line.split(" "));
            } catch (TuttiException e) {
                say("failed " + e.code() + " " + e.info().call() + " "
                        + e.info().result() + " " + e.getMessage());
            }
        }
    }

    private void run(String[] words) throws Exception {
        switch (words[0]) {
            case "export" -> export(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            case "import" -> map(Integer.parseInt(words[1]), PosixFdPeer.offer(words[2]));
            case "import-within" -> {
                PosixFdPeer hasty = new PosixFdPeer(service, 2, Duration.ofMillis(Long.parseLong(words[1])));
                kept.add(hasty);
                hasty.map(Integer.parseInt(words[2]), PosixFdPeer.offer(words[3]));
            }
            case "import-all" -> mapAll(words);
            case "read" -> say("value " + peer.read(address(words[1])));
            case "write" -> peer.write(address(words[1]), Integer.parseInt(words[2]));
            case "fetch-only" -> {
                MemoryOffer offer = PosixFdPeer.offer(words[2]);
                ShareKey key = new ShareKey(PosixFdPeer.COMMUNICATOR, offer.rank(), PosixFdPeer.EPOCH);
                kept.add(FetchedDescriptor.fetch(
                        offer.handle(), key, Integer.parseInt(words[1]), System.nanoTime() + 10_000_000_000L));
                say("fetched");
            }
            case "link" -> {
                kept.add(PeerLinks.open(
                        service, Arrays.asList(words).subList(1, words.length), Duration.ofSeconds(10), this));
                say("linked");
            }
            case "garbage" -> {
                LocalSocket socket =
                        LocalSocket.connect(LocalService.addressOf(words[1]), System.nanoTime() + 10_000_000_000L);
                kept.add(socket);
                socket.send(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}));
                say("sent");
            }
            case "close" -> close();
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private long address(String rank) {
        return Objects.requireNonNull(mapped.get(Integer.parseInt(rank))).address();
    }

    private void export(int rank, int mark) {
        ExportedMemory memory = peer.export(rank, mark);
        exported.put(rank, memory);
        say("offer " + PosixFdPeer.text(memory.offer()));
    }

    private void map(int rank, MemoryOffer offer) {
        ImportedMemory memory = peer.map(rank, offer);
        mapped.put(offer.rank(), memory);
        say("mapped " + peer.read(memory.address()));
    }

    /** Maps every offer of another process for each own rank. */
    private void mapAll(String[] words) {
        long start = System.nanoTime();
        int imports = 0;
        for (int rank : new TreeSet<>(exported.keySet())) {
            for (int i = 1; i < words.length; i++) {
                MemoryOffer offer = PosixFdPeer.offer(words[i]);
                if (!offer.processId().equals(service.processId())) {
                    ImportedMemory memory = peer.map(rank, offer);
                    if (peer.read(memory.address()) != 1000 + offer.rank()) {
                        throw new IllegalStateException("rank " + rank + " sees another memory than " + offer);
                    }
                    imports++;
                }
            }
        }
        say("mapped-all " + imports + " " + (System.nanoTime() - start) / 1000);
    }

    private void close() throws Exception {
        for (AutoCloseable one : kept) {
            one.close();
        }
        peer.close();
        service.close();
        List<String> left = new ArrayList<>(OpenDescriptors.now());
        left.removeAll(openBefore);
        say("left " + left + " " + OpenDescriptors.localThreads());
    }

    @Override
    public void onDeath(String processId) {
        say("death " + processId + " " + System.nanoTime());
    }

    @Override
    public void onGoodbye(String processId) {
        say("goodbye " + processId);
    }

    private static void say(String line) {
        synchronized (System.out) {
            System.out.println(line);
            System.out.flush();
        }
    }
}
