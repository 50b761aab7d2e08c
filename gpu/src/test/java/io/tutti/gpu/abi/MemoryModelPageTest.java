package io.tutti.gpu.abi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The structs that the page shows are those that the code writes. */
final class MemoryModelPageTest {

    private static final Pattern MEMBER = Pattern.compile("uint(?:32|64)_t (\\w+);\\s*/\\*\\s*(\\d+)");

    @Test
    void thePageShowsEveryParameterAtItsOffset() throws Exception {
        Matcher member = MEMBER.matcher(page());
        int members = 0;
        while (member.find()) {
            String name = member.group(1).toUpperCase(Locale.ROOT);
            assertThat(offset(name)).as(name).isEqualTo(Integer.parseInt(member.group(2)));
            members++;
        }
        assertThat(members).isEqualTo(offsets(LaunchParams.class) + offsets(FusedParams.class));
    }

    @Test
    void controlBlockPartsDoNotOverlap() throws Exception {
        boolean[] taken = new boolean[ControlBlock.SIZE];
        for (Field field : ControlBlock.class.getDeclaredFields()) {
            if (isOffset(field)) {
                int start = field.getInt(null);
                for (int i = start; i < start + bytes(field.getName()); i++) {
                    assertThat(taken[i]).as("%s at %d", field.getName(), i).isFalse();
                    taken[i] = true;
                }
            }
        }
    }

    private static int bytes(String field) {
        return switch (field) {
            case "MAGIC", "ABI_VERSION", "RANK", "WORLD", "RING_MASK", "LAST_STATUS", "LAST_RANK" -> 4;
            case "REGIONS" -> 64;
            case "CLEAR_BYTES" -> 96;
            case "ARRIVALS" -> 32;
            case "WORKSPACES" -> 72 * 8;
            default -> 8;
        };
    }

    private static int offset(String name) throws IllegalAccessException {
        for (Class<?> type : new Class<?>[] {LaunchParams.class, FusedParams.class}) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    return field.getInt(null);
                }
            }
        }
        throw new AssertionError("the page shows a member that the code does not have: " + name);
    }

    private static int offsets(Class<?> type) {
        int count = 0;
        for (Field field : type.getDeclaredFields()) {
            count += isOffset(field) ? 1 : 0;
        }
        return count;
    }

    private static boolean isOffset(Field field) {
        return Modifier.isPublic(field.getModifiers())
                && field.getType() == int.class
                && !field.getName().equals("SIZE")
                && !field.getName().startsWith("FLAG_");
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "memory-model.md"));
    }
}
