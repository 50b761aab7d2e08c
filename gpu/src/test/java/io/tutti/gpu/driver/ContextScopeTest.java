package io.tutti.gpu.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.tutti.gpu.host.HostDriver;
import io.tutti.gpu.host.Topology;
import org.junit.jupiter.api.Test;

final class ContextScopeTest {

    @Test
    void whatWasCurrentIsCurrentAgain() {
        try (HostDriver driver =
                HostDriver.builder().topology(Topology.local(2)).build()) {
            CuContext first = driver.primaryCtxRetain(0);
            CuContext second = driver.primaryCtxRetain(1);
            try (ContextScope scope = ContextScope.enter(driver, first)) {
                assertThat(driver.ctxGetCurrent()).isEqualTo(first);
                assertThat(scope).isNotNull();
            }
            assertThat(driver.ctxGetCurrent())
                    .as("where there was none, it stays")
                    .isEqualTo(first);
            try (ContextScope scope = ContextScope.enter(driver, second)) {
                assertThat(driver.ctxGetCurrent()).isEqualTo(second);
                assertThat(scope).isNotNull();
            }
            assertThat(driver.ctxGetCurrent()).isEqualTo(first);
            driver.ctxSetCurrent(new CuContext(0));
            assertThat(driver.ctxGetCurrent()).isEqualTo(new CuContext(0));
            driver.primaryCtxRelease(0);
            driver.primaryCtxRelease(1);
        }
    }
}
