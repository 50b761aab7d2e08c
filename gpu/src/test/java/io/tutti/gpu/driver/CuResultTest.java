package io.tutti.gpu.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CuResultTest {

    @Test
    void everyCodeThatTheProductNamesIsKnownOnceAndHasARemedy() {
        List<Integer> named = List.of(
                1, 2, 3, 4, 34, 46, 100, 101, 200, 201, 209, 214, 217, 218, 220, 221, 222, 223, 226, 303, 304, 400, 401,
                500, 600, 700, 701, 702, 704, 705, 709, 710, 711, 714, 715, 716, 717, 718, 719, 800, 801, 802, 803, 804,
                900, 901, 902, 903, 904, 905, 906, 907, 908, 999);
        for (int code : named) {
            CuResult result = CuResult.ofCode(code);
            assertThat(result.code()).as(result.name()).isEqualTo(code);
            assertThat(result.advice("anyCall")).endsWith(".");
        }
        assertThat(Arrays.stream(CuResult.values()).map(CuResult::code))
                .doesNotHaveDuplicates()
                .containsAll(new TreeSet<>(named));
    }

    @Test
    void aCodeThatNobodyKnowsIsUnknown() {
        assertThat(CuResult.ofCode(4711)).isEqualTo(CuResult.CUDA_ERROR_UNKNOWN);
    }
}
