package io.tutti.gpu.cuda.jcuda;

import io.tutti.gpu.cuda.calls.CudaCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import jcuda.driver.JCudaDriver;

/**
 * Loads JCuda's driver binding. JCuda unpacks its native library into {@code java.io.tmpdir} under a fixed name, not
 * atomically, and takes a file that is there already as it is; so processes that start together race, and a planted file
 * would be loaded. Here the first use happens with a directory of this process's own, which is removed at once: the
 * library stays mapped.
 */
public final class JCudaBinding {

    private static final String TEMPORARY = "java.io.tmpdir";

    private JCudaBinding() {}

    /**
     * The calls, JCuda loaded.
     *
     * @param rest serves what JCuda does not
     * @throws LinkageError where JCuda's library, or the driver that it needs, is missing
     * @throws UncheckedIOException where no directory can be made to unpack into
     */
    public static synchronized CudaCalls bind(CudaCalls rest) {
        Path own;
        try {
            own = Files.createTempDirectory("tutti-jcuda-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String before = System.setProperty(TEMPORARY, own.toString());
        try {
            Class.forName(JCudaDriver.class.getName(), true, JCudaBinding.class.getClassLoader());
            JCudaHandles.requireAccess();
            return new JCudaCalls(rest);
        } catch (ClassNotFoundException e) {
            throw new NoClassDefFoundError(e.getMessage());
        } finally {
            if (before == null) {
                System.clearProperty(TEMPORARY);
            } else {
                System.setProperty(TEMPORARY, before);
            }
            delete(own);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            // An empty or nearly empty directory stays behind, which harms nobody.
            folder.toFile().deleteOnExit();
        }
    }
}
