package io.tutti.gpu.plan;

import io.tutti.gpu.driver.DeviceAttribute;

/** What a device's attributes say that it can do, which promises nothing; each is a fact of its own. */
public enum DeviceCapability {
    VIRTUAL_MEMORY("virtual-memory", DeviceAttribute.VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED),
    POSIX_FD("posix-fd", DeviceAttribute.HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED),
    FABRIC("fabric", DeviceAttribute.HANDLE_TYPE_FABRIC_SUPPORTED),
    LEGACY_IPC("legacy-ipc", DeviceAttribute.IPC_EVENT_SUPPORTED),
    MULTICAST("multicast", DeviceAttribute.MULTICAST_SUPPORTED);

    private final String wireName;
    private final DeviceAttribute attribute;

    DeviceCapability(String wireName, DeviceAttribute attribute) {
        this.wireName = wireName;
        this.attribute = attribute;
    }

    /** As reports and files write it. */
    public String wireName() {
        return wireName;
    }

    /** The attribute that says so. */
    public DeviceAttribute attribute() {
        return attribute;
    }
}
