package io.tutti.gpu.rank;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.DType;
import io.tutti.gpu.EpochId;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.Term;
import io.tutti.gpu.driver.Driver;
import io.tutti.gpu.host.Topology;
import io.tutti.gpu.memory.MemoryOffer;
import io.tutti.gpu.op.DeviceTensor;
import io.tutti.gpu.op.FusedAllReduce;
import io.tutti.gpu.plan.PairClass;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** The process of rank 1 in {@link EpochBetweenProcessesTest}: takes a stage a line. The argument is the handle kind. */
final class EpochChild {

    static final int WORLD = 2;
    private static final int HIDDEN = 64;
    private static final int BYTES = HIDDEN * Float.BYTES;

    private final EmulatedProcesses processes;
    private final HandleKind kind;
    private final int number;

    EpochChild(int rank, HandleKind kind) {
        this.kind = kind;
        this.number = rank;
        this.processes = new EmulatedProcesses(Topology.local(WORLD, 64L << 20), WORLD, rank).add(0, rank);
    }

    public static void main(String[] arguments) throws Exception {
        EpochChild child = new EpochChild(1, HandleKind.valueOf(arguments[0]));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ");
            System.out.println("done " + child.run(words[0], Long.parseLong(words[1]), offers(words)));
            System.out.flush();
        }
    }

    private static List<MemoryOffer> offers(String[] words) {
        return Arrays.stream(words).skip(2).map(EpochChild::offer).collect(Collectors.toList());
    }

    /** One step of every rank here; the answer is this process's offers where the step makes them. */
    String run(String step, long number, List<MemoryOffer> offers) {
        EpochId epoch = new EpochId(new Term(1, "test"), number);
        long nanos = EmulatedProcesses.PATIENCE.toNanos();
        switch (step) {
            case "offer" -> {
                return text(processes.offer(epoch, processes.plan(Map.of(PairClass.SAME_HOST, kind))));
            }
            case "import" -> processes.each(rank -> rank.importPeers(epoch, offers));
            case "write" -> processes.each(rank -> rank.writePatterns(epoch, nanos));
            case "verify" -> processes.each(rank -> rank.verifyPatterns(epoch, nanos));
            case "quiesce" -> processes.each(rank -> rank.quiesce(nanos));
            case "commit" -> processes.commit(epoch);
            case "call" -> processes.each(rank -> call(rank, number));
            case "drain" -> processes.drain(epoch);
            case "release" -> processes.each(rank -> rank.release(epoch));
            case "close" -> processes.close();
            default -> throw new IllegalArgumentException(step);
        }
        return "";
    }

    /** Sums tensors whose values depend on the call, in the same memory each time. */
    private void call(RankDevice rank, long call) {
        Driver driver = rank.driver();
        driver.ctxSetCurrent(rank.context());
        DeviceTensor partial = new DeviceTensor(driver.memAlloc(BYTES), DType.FP32, 1, HIDDEN);
        DeviceTensor sum = new DeviceTensor(driver.memAlloc(BYTES), DType.FP32, 1, HIDDEN);
        try {
            ByteBuffer values = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
            for (int i = 0; i < HIDDEN; i++) {
                values.putFloat(i * Float.BYTES, call * HIDDEN + i + number);
            }
            driver.memcpyHtoD(partial.devicePointer(), values);
            rank.submit(FusedAllReduce.sum(partial, sum))
                    .toCompletableFuture()
                    .get(EmulatedProcesses.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            driver.memcpyDtoH(values, sum.devicePointer());
            for (int i = 0; i < HIDDEN; i++) {
                assertThat(values.getFloat(i * Float.BYTES)).isEqualTo(2 * (call * HIDDEN + i) + 1f);
            }
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("rank=" + number + " call=" + call, e);
        } finally {
            driver.memFree(partial.devicePointer());
            driver.memFree(sum.devicePointer());
        }
    }

    static String text(List<MemoryOffer> offers) {
        List<String> words = new ArrayList<>();
        for (MemoryOffer offer : offers) {
            words.add(String.join(
                    ",",
                    Integer.toString(offer.rank()),
                    offer.kind().name(),
                    offer.hostId(),
                    offer.processId(),
                    Long.toString(offer.bytes()),
                    Long.toString(offer.padBytes()),
                    Long.toString(offer.epoch()),
                    Base64.getEncoder().encodeToString(offer.handle())));
        }
        return String.join(" ", words);
    }

    static MemoryOffer offer(String word) {
        String[] parts = word.split(",");
        return new MemoryOffer(
                Integer.parseInt(parts[0]),
                HandleKind.valueOf(parts[1]),
                parts[2],
                parts[3],
                Long.parseLong(parts[4]),
                Long.parseLong(parts[5]),
                Long.parseLong(parts[6]),
                Base64.getDecoder().decode(parts[7]));
    }
}
