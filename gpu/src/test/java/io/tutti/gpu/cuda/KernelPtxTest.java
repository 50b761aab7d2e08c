package io.tutti.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.Algorithm;
import io.tutti.gpu.abi.FusedKernels;
import io.tutti.gpu.abi.KernelAbi;
import io.tutti.gpu.abi.LocalKernels;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The committed PTX is read as text: that it belongs to its sources, and what its instructions promise. */
class KernelPtxTest {

    private static final Path SOURCES = Path.of("src", "main", "cuda");

    /** An instruction at the start of a statement, without its operands. */
    private static final Pattern INSTRUCTION =
            Pattern.compile("(?m)^\\s*(?:\\{\\s*)?(?:@!?%?\\w+\\s+)?([a-z][a-z0-9_]*(?:\\.[a-z0-9_:]+)*)");

    private static final Pattern ROUNDED = Pattern.compile("(?:add|sub|mul|fma|mad|div|rcp|sqrt|rsqrt|ex2|lg2|sin|cos"
            + "|tanh|min|max|neg|abs)\\..*f32|cvt\\..*\\.f32|cvt\\..*f32\\.f64");

    @ParameterizedTest
    @ValueSource(ints = {80, 90})
    void itWasMadeFromTheSourcesBesideIt(int capability) throws Exception {
        String ptx = ptx(capability);
        List<Path> files;
        try (Stream<Path> all = Files.list(SOURCES)) {
            files = all.filter(file -> file.toString().matches(".*\\.cuh?"))
                    .sorted((one, other) -> one.getFileName()
                            .toString()
                            .compareTo(other.getFileName().toString()))
                    .toList();
        }
        assertThat(files).isNotEmpty();
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (Path file : files) {
            digest.update(Files.readAllBytes(file));
        }

        assertThat(line(ptx, "// tutti-sources: "))
                .as("after a change of the sources, run gpu/src/main/cuda/build.sh and commit what it makes")
                .isEqualTo(HexFormat.of().formatHex(digest.digest()));
        assertThat(line(ptx, "// tutti-abi: ")).isEqualTo(Integer.toString(KernelAbi.VERSION));
    }

    /** Drivers from CUDA 11.8 on (520) load what is for compute capability 9.0, and from 11.0 on (450) the other. */
    @ParameterizedTest
    @ValueSource(ints = {80, 90})
    void itAsksForNoNewerDriverThanItsInstructionsNeed(int capability) throws Exception {
        String ptx = ptx(capability);

        assertThat(line(ptx, ".version ")).isEqualTo(capability == 90 ? "7.8" : "7.0");
        assertThat(line(ptx, ".target ")).isEqualTo("sm_" + capability);
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 90})
    void itHasEveryKernelByItsName(int capability) throws Exception {
        String ptx = ptx(capability);
        List<String> names = new ArrayList<>(List.of(KernelAbi.ARM, KernelAbi.WRITE_PATTERN, KernelAbi.VERIFY_PATTERN));
        for (Algorithm algorithm : Algorithm.values()) {
            names.addAll(FusedKernels.names(algorithm));
        }
        names.addAll(LocalKernels.names());
        Matcher entry = Pattern.compile("\\.entry (\\w+)\\(").matcher(ptx);
        List<String> found = new ArrayList<>();
        while (entry.find()) {
            found.add(entry.group(1));
        }

        assertThat(found).containsExactlyInAnyOrderElementsOf(names);
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 90})
    void everyOperationOnFp32IsRoundedOnceToNearest(int capability) throws Exception {
        List<String> instructions = instructions(capability);

        assertThat(instructions).anyMatch(i -> i.equals("add.rn.f32")).anyMatch(i -> i.equals("mul.rn.f32"));
        assertThat(instructions).noneMatch(i -> i.contains(".ftz") || i.contains(".approx") || i.contains(".full"));
        assertThat(instructions).noneMatch(i -> i.matches("(fma|mad)\\..*f32"));
        assertThat(instructions.stream()
                        .filter(i -> ROUNDED.matcher(i).matches())
                        .filter(i -> !i.contains(".rn"))
                        .filter(i -> !i.equals("cvt.f32.f16")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 90})
    void nothingIsAtomicButCountersOfTheOwnGrid(int capability) throws Exception {
        List<String> atomics = instructions(capability).stream()
                .filter(i -> i.matches("(atom|red)\\..*"))
                .distinct()
                .toList();

        assertThat(atomics)
                .containsExactlyInAnyOrder("red.release.sys.global.add.u32", "atom.cas.b32", "atom.shared.exch.b32");
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 90})
    void onlyTheImageForHopperWaitsForTheKernelBefore(int capability) throws Exception {
        String ptx = ptx(capability);
        List<String> entries =
                List.of(ptx.split("\\.visible \\.entry ")).stream().skip(1).toList();

        for (String entry : entries) {
            boolean waits = entry.contains("griddepcontrol.wait");
            assertThat(waits).as(entry.substring(0, 40)).isEqualTo(capability == 90);
        }
        assertThat(ptx.contains("cp.async.bulk")).isFalse();
    }

    private static List<String> instructions(int capability) throws IOException {
        Matcher matcher = INSTRUCTION.matcher(ptx(capability));
        List<String> found = new ArrayList<>();
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        assertThat(found).hasSizeGreaterThan(1000);
        return found;
    }

    private static String line(String ptx, String start) {
        return ptx.lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()).strip())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no line begins with " + start));
    }

    private static String ptx(int capability) throws IOException {
        String name = "/io/tutti/gpu/cuda/" + KernelAbi.IMAGE + ".sm_" + capability + ".ptx";
        try (InputStream in = Objects.requireNonNull(KernelPtxTest.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
