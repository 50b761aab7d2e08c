package io.tutti.gpu.host.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class QuiescenceTest {

    private final Quiescence quiescence = new Quiescence();
    private final AtomicInteger freed = new AtomicInteger();

    @Test
    void whatNobodyCanTouchGoesAtOnce() {
        Quiescence.Reader outside = quiescence.register();
        quiescence.enter(outside);
        quiescence.leave(outside);
        quiescence.retire(freed::incrementAndGet);
        assertThat(freed).hasValue(1);
    }

    @Test
    void whoEnteredBeforeIsAwaitedAndWhoEntersLaterIsNot() {
        Quiescence.Reader first = quiescence.register();
        Quiescence.Reader second = quiescence.register();
        quiescence.enter(first);
        quiescence.enter(second);
        quiescence.retire(freed::incrementAndGet);
        quiescence.leave(first);
        quiescence.enter(first);
        assertThat(freed).hasValue(0);
        assertThat(quiescence.waiting()).isOne();
        quiescence.leave(second);
        assertThat(freed).hasValue(1);
        assertThat(quiescence.waiting()).isZero();
    }

    @Test
    void borrowedPlacesCountToo() {
        Quiescence.Reader borrowed = quiescence.borrow();
        quiescence.retire(freed::incrementAndGet);
        assertThat(freed).hasValue(0);
        quiescence.giveBack(borrowed);
        assertThat(freed).hasValue(1);
        assertThat(quiescence.borrow()).isSameAs(borrowed);
    }
}
