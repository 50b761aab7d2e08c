package io.tutti.gpu.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class HostIdentityTest {

    @Test
    @EnabledOnOs(OS.LINUX)
    void aHostIsKnownByItsBootAndItsNamespacesNotByItsName() throws Exception {
        HostIdentity host = HostIdentity.current();
        assertThat(host.id())
                .contains(Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                        .trim())
                .contains(Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString())
                .contains(Files.readSymbolicLink(Path.of("/proc/self/ns/ipc")).toString())
                .doesNotContain(host.name());
        assertThat(HostIdentity.current()).isEqualTo(host);
    }

    @Test
    void emulatedHostsOfOneMachineAreDifferentHosts() {
        HostIdentity real = HostIdentity.current();
        HostIdentity one = HostIdentity.emulated("rack", 0, "node");
        HostIdentity two = HostIdentity.emulated("rack", 1, "node");
        HostIdentity other = HostIdentity.emulated("shelf", 0, "node");
        assertThat(one.id()).isEqualTo(HostIdentity.emulated("rack", 0, "").id());
        assertThat(one.id()).isNotIn(two.id(), other.id(), real.id());
        assertThat(HostIdentity.sameMachine(one.id(), two.id())).isTrue();
        assertThat(HostIdentity.sameMachine(one.id(), real.id())).isTrue();
        assertThat(HostIdentity.sameMachine(one.id(), "another boot#rack/0")).isFalse();
    }
}
