package io.tutti.config;

/** The keys that code beside the parser speaks of. */
final class Keys {

    static final String ROOT = "tutti";
    static final String DRIVER = "tutti.driver";
    static final String INJECT = "tutti.inject";
    static final String PATHS = "tutti.paths";
    static final String TOPOLOGY = "tutti.topology";
    static final String DEVICES = "tutti.host-driver.devices";
    static final String DEVICE_MEMORY = "tutti.host-driver.memory-per-device";
    static final String WORKSPACE = "tutti.workspace.size";
    static final String HOST = "tutti.cluster.host";
    static final String INSECURE = "tutti.security.insecure";
    static final String COMMUNICATORS = "tutti.communicators";
    static final String OPERATION_TIMEOUT = "tutti.operation.timeout";
    static final String QUIESCE_TIMEOUT = "tutti.epoch.stage-timeout.quiesce";
    static final String HEARTBEAT_INTERVAL = "tutti.heartbeat.interval";
    static final String FORM_TIMEOUT = "tutti.cluster.form-timeout";
    static final String CLOSE_TIMEOUT = "tutti.close.timeout";

    private Keys() {}
}
