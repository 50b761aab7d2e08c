package io.tutti.gpu.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VisibleDevicesTest {

    private static VisibleDevices parse(String value) {
        return VisibleDevices.parse(Optional.of(value));
    }

    @Test
    void withoutTheVariableEveryDeviceIsVisible() {
        VisibleDevices all = VisibleDevices.parse(Optional.empty());
        assertThat(all.set()).isFalse();
        assertThat(all.explain(2)).contains("ordinal 2 of all devices");
    }

    @Test
    void anEmptyVariableHidesEveryDevice() {
        assertThat(parse("").entries()).isEmpty();
        assertThat(parse("").explain(0)).contains("is not among them");
    }

    @Test
    void ordinalsAreThePlacesInTheListAndNotTheNumbersInIt() {
        VisibleDevices devices = parse("3, 1");
        assertThat(devices.explain(0)).endsWith("is the machine's device 3");
        assertThat(devices.explain(1)).endsWith("is the machine's device 1");
        assertThat(devices.explain(2)).endsWith("is not among them");
    }

    @Test
    void indicesUuidsAndSlicesAreToldApart() {
        assertThat(parse("2").entries()).containsExactly(new VisibleDevices.Entry(VisibleDevices.Naming.INDEX, "2"));
        assertThat(parse("GPU-7f3c9a10").explain(0)).endsWith("is the device GPU-7f3c9a10");
        assertThat(parse("MIG-1a2b3c4d-5e6f-7081-92a3-b4c5d6e7f809").explain(0))
                .contains("is the MIG slice MIG-1a2b3c4d");
        assertThat(parse("MIG-GPU-7f3c9a10-1a2b/1/0").entries())
                .containsExactly(new VisibleDevices.Entry(VisibleDevices.Naming.MIG, "MIG-GPU-7f3c9a10-1a2b/1/0"));
    }

    @Test
    void theListEndsAtTheFirstEntryThatNamesNoDevice() {
        assertThat(parse("0,-1,1").entries()).hasSize(1);
        assertThat(parse("0,-1,1").rest()).isEqualTo(List.of("-1", "1"));
        assertThat(parse("0,-1,1").explain(0))
                .contains("ignored from the first entry")
                .contains("[-1, 1]");
        assertThat(parse("NoDevFiles").entries()).isEmpty();
        assertThat(parse("1,1").rest()).isEqualTo(List.of("1"));
    }
}
