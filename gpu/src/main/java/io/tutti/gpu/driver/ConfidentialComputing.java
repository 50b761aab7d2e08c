package io.tutti.gpu.driver;

/** Whether a device's memory is kept from everybody outside the virtual machine, its peers included. */
public enum ConfidentialComputing {
    /** Nobody could be asked. */
    UNKNOWN("unknown"),
    OFF("off"),
    ON("on");

    private final String wireName;

    ConfidentialComputing(String wireName) {
        this.wireName = wireName;
    }

    /** As settings, reports and files write it. */
    public String wireName() {
        return wireName;
    }
}
