package io.tutti.launcher.facts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tutti.gpu.HandleKind;
import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.FabricInfo;
import io.tutti.gpu.plan.DeviceCapability;
import io.tutti.gpu.plan.DeviceFacts;
import io.tutti.gpu.plan.DriverFacts;
import io.tutti.gpu.plan.HostFacts;
import io.tutti.gpu.plan.LinkFacts;
import io.tutti.gpu.plan.MulticastAnswer;
import io.tutti.gpu.plan.ProcessFacts;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.plan.SharingFacts;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One rank's facts as a JSON object and back; the names are part of the public surface. */
public final class FactsJson {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private FactsJson() {}

    public static ObjectNode write(RankFacts facts) {
        ObjectNode rank = NODES.objectNode().put("rank", facts.rank());
        rank.putObject("host")
                .put("id", facts.host().id())
                .put("name", facts.host().name())
                .put("sharedMemoryBytes", facts.host().sharedMemoryBytes());
        rank.putObject("process")
                .put("id", facts.process().id())
                .put("user", facts.process().user())
                .put("pidNamespace", facts.process().pidNamespace())
                .put("visibleDevices", facts.process().visibleDevices().orElse(null));
        rank.putObject("driver")
                .put("name", facts.driver().name())
                .put("version", facts.driver().version())
                .put("abiVersion", facts.driver().abiVersion());
        write(facts.device(), rank.putObject("device"));
        write(facts.sharing(), rank.putObject("sharing"));
        write(facts.links(), rank.putObject("links"));
        write(facts.multicast(), rank.putObject("multicast"));
        return rank;
    }

    private static void write(DeviceFacts device, ObjectNode json) {
        json.put("ordinal", device.ordinal())
                .put("name", device.identity().name())
                .put("uuid", device.identity().uuid())
                .put("pciBusId", device.identity().pciBusId())
                .put("totalBytes", device.identity().totalBytes())
                .put("computeCapability", device.computeCapability())
                .put("multiprocessors", device.multiprocessors())
                .put("freeBytes", device.freeBytes())
                .put("confidentialComputing", device.confidential().wireName());
    }

    private static void write(SharingFacts sharing, ObjectNode json) {
        json.set(
                "exportable",
                texts(sharing.exportable().stream()
                        .sorted()
                        .map(HandleKind::wireName)
                        .toList()));
        json.set(
                "capabilities",
                texts(sharing.capabilities().stream()
                        .sorted()
                        .map(DeviceCapability::wireName)
                        .toList()));
        json.put("imexChannel", sharing.imexChannel()).put("allocationGranularity", sharing.allocationGranularity());
    }

    private static void write(LinkFacts links, ObjectNode json) {
        json.set("peers", texts(links.peerDeviceUuids().stream().sorted().toList()));
        json.put("peerBytesPerSecond", links.peerBytesPerSecond());
        json.putObject("fabric")
                .put("cluster", links.fabric().clusterUuid())
                .put("clique", links.fabric().clique())
                .put("state", links.fabric().state())
                .put("health", links.fabric().health());
    }

    private static void write(MulticastAnswer answer, ObjectNode json) {
        if (answer instanceof MulticastAnswer.Granularity granted) {
            json.put("granularity", granted.granularity());
        } else if (answer instanceof MulticastAnswer.Refused refused) {
            json.put("call", refused.call()).put("result", refused.result()).put("advice", refused.advice());
        }
    }

    private static ArrayNode texts(Collection<String> texts) {
        ArrayNode array = NODES.arrayNode();
        texts.forEach(array::add);
        return array;
    }

    /**
     * Reads one rank's facts.
     *
     * @param source where they are from, for errors
     * @throws io.tutti.gpu.TuttiException with code INPUT, naming the place of what is missing or wrong
     */
    public static RankFacts read(String source, JsonNode rank) {
        return read(new Place(source, "", rank));
    }

    /** @throws io.tutti.gpu.TuttiException with code INPUT, naming the place of what is missing or wrong */
    static RankFacts read(Place rank) {
        rank.object();
        Place host = rank.get("host").object();
        Place process = rank.get("process").object();
        Place driver = rank.get("driver").object();
        return new RankFacts(
                rank.get("rank").smallCount(),
                new HostFacts(
                        host.get("id").text(),
                        host.get("name").text(),
                        host.get("sharedMemoryBytes").count()),
                new ProcessFacts(
                        process.get("id").text(),
                        process.get("user").text(),
                        process.get("pidNamespace").text(),
                        process.get("visibleDevices").optionalText()),
                new DriverFacts(
                        driver.get("name").text(),
                        driver.get("version").smallCount(),
                        driver.get("abiVersion").smallCount()),
                device(rank.get("device").object()),
                sharing(rank.get("sharing").object()),
                links(rank.get("links").object()),
                multicast(rank.get("multicast").object()));
    }

    private static DeviceFacts device(Place device) {
        return new DeviceFacts(
                device.get("ordinal").smallCount(),
                new DeviceIdentity(
                        device.get("name").text(),
                        device.get("uuid").text(),
                        device.get("pciBusId").text(),
                        device.get("totalBytes").count()),
                device.get("computeCapability").smallCount(),
                device.get("multiprocessors").smallCount(),
                device.get("freeBytes").count(),
                device.get("confidentialComputing")
                        .constant(ConfidentialComputing.values(), ConfidentialComputing::wireName));
    }

    private static SharingFacts sharing(Place sharing) {
        return new SharingFacts(
                sharing.get("exportable").constants(HandleKind.class, HandleKind::wireName),
                sharing.get("capabilities").constants(DeviceCapability.class, DeviceCapability::wireName),
                sharing.get("imexChannel").flag(),
                sharing.get("allocationGranularity").count());
    }

    private static LinkFacts links(Place links) {
        Place fabric = links.get("fabric").object();
        List<String> peers =
                links.get("peers").elements().stream().map(Place::text).toList();
        Set<String> different = new HashSet<>(peers);
        return new LinkFacts(
                different,
                new FabricInfo(
                        fabric.get("cluster").text(),
                        fabric.get("clique").bits(),
                        fabric.get("state").text(),
                        fabric.get("health").text()),
                links.get("peerBytesPerSecond").count());
    }

    private static MulticastAnswer multicast(Place multicast) {
        return multicast.node().has("granularity")
                ? new MulticastAnswer.Granularity(multicast.get("granularity").count())
                : new MulticastAnswer.Refused(
                        multicast.get("call").text(),
                        multicast.get("result").text(),
                        multicast.get("advice").text());
    }
}
