package io.tutti.gpu.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DriverException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a call is expected to answer. */
final class Answers {

    private Answers() {}

    static DriverException refused(int code, ThrowingCallable call) {
        DriverException failure = catchThrowableOfType(DriverException.class, call);
        assertThat(failure).as("the call answers %d", code).isNotNull();
        assertThat(failure.result()).as(failure.getMessage()).isEqualTo(CuResult.ofCode(code));
        return failure;
    }
}
