package io.tutti.actors.wire;

import io.tutti.gpu.plan.DriverFacts;
import io.tutti.gpu.plan.HostFacts;
import io.tutti.gpu.plan.LinkFacts;
import io.tutti.gpu.plan.ProcessFacts;
import io.tutti.gpu.plan.RankFacts;
import io.tutti.gpu.plan.SharingFacts;
import io.tutti.proto.FactsProto;
import io.tutti.proto.RankFactsProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Ranks' facts; the UUIDs of peer devices are written once for all of them. */
final class FactsWire {

    private FactsWire() {}

    static FactsProto toProto(List<RankFacts> ranks) {
        Set<String> uuids = new TreeSet<>();
        ranks.forEach(rank -> uuids.addAll(rank.links().peerDeviceUuids()));
        Map<String, Integer> positions = new HashMap<>();
        uuids.forEach(uuid -> positions.put(uuid, positions.size()));
        FactsProto.Builder proto = FactsProto.newBuilder().addAllPeerDeviceUuids(uuids);
        ranks.forEach(rank -> proto.addRanks(toProto(rank, positions)));
        return proto.build();
    }

    static List<RankFacts> toFacts(boolean present, FactsProto facts) {
        Require.present("facts", present);
        List<RankFacts> ranks = new ArrayList<>();
        facts.getRanksList().forEach(rank -> ranks.add(toFacts(rank, facts.getPeerDeviceUuidsList())));
        return ranks;
    }

    private static RankFactsProto toProto(RankFacts facts, Map<String, Integer> positions) {
        RankFactsProto.Builder proto = RankFactsProto.newBuilder()
                .setRank(Require.count("rank", facts.rank()))
                .setHostId(facts.host().id())
                .setHostName(facts.host().name())
                .setSharedMemoryBytes(
                        Require.count("sharedMemoryBytes", facts.host().sharedMemoryBytes()))
                .setProcessId(facts.process().id())
                .setUser(facts.process().user())
                .setPidNamespace(facts.process().pidNamespace())
                .setDriver(facts.driver().name())
                .setDriverVersion(Require.count("driverVersion", facts.driver().version()))
                .setAbiVersion(Require.count("abiVersion", facts.driver().abiVersion()))
                .setMulticast(DeviceWire.toProto(facts.multicast()));
        facts.process().visibleDevices().ifPresent(proto::setVisibleDevices);
        DeviceWire.write(facts.device(), proto);
        write(facts.sharing(), proto);
        write(facts.links(), positions, proto);
        return proto.build();
    }

    private static void write(SharingFacts sharing, RankFactsProto.Builder proto) {
        proto.addAllExportable(EnumWire.kindsToProto(sharing.exportable()))
                .addAllCapabilities(EnumWire.capabilitiesToProto(sharing.capabilities()))
                .setImexChannel(sharing.imexChannel())
                .setAllocationGranularity(Require.count("allocationGranularity", sharing.allocationGranularity()));
    }

    private static void write(LinkFacts links, Map<String, Integer> positions, RankFactsProto.Builder proto) {
        proto.addAllPeerDevices(links.peerDeviceUuids().stream()
                        .map(positions::get)
                        .sorted()
                        .toList())
                .setFabric(DeviceWire.toProto(links.fabric()))
                .setPeerBytesPerSecond(Require.count("peerBytesPerSecond", links.peerBytesPerSecond()));
    }

    private static RankFacts toFacts(RankFactsProto facts, List<String> uuids) {
        return new RankFacts(
                Require.count("rank", facts.getRank()),
                new HostFacts(
                        facts.getHostId(),
                        facts.getHostName(),
                        Require.count("sharedMemoryBytes", facts.getSharedMemoryBytes())),
                new ProcessFacts(
                        facts.getProcessId(),
                        facts.getUser(),
                        facts.getPidNamespace(),
                        facts.hasVisibleDevices() ? Optional.of(facts.getVisibleDevices()) : Optional.empty()),
                new DriverFacts(
                        facts.getDriver(),
                        Require.count("driverVersion", facts.getDriverVersion()),
                        Require.count("abiVersion", facts.getAbiVersion())),
                DeviceWire.toDevice(facts),
                new SharingFacts(
                        EnumWire.toKinds(facts.getExportableValueList()),
                        EnumWire.toCapabilities(facts.getCapabilitiesValueList()),
                        facts.getImexChannel(),
                        Require.count("allocationGranularity", facts.getAllocationGranularity())),
                new LinkFacts(
                        peerDevices(facts, uuids),
                        DeviceWire.toFabric(facts.hasFabric(), facts.getFabric()),
                        Require.count("peerBytesPerSecond", facts.getPeerBytesPerSecond())),
                DeviceWire.toMulticast(facts.getMulticast()));
    }

    private static Set<String> peerDevices(RankFactsProto facts, List<String> uuids) {
        Set<String> peers = new HashSet<>();
        for (int position : facts.getPeerDevicesList()) {
            if (position < 0 || position >= uuids.size()) {
                throw new WireFormatException("message points outside its table of devices: rank=" + facts.getRank()
                        + " position=" + position + " devices=" + uuids.size());
            }
            peers.add(uuids.get(position));
        }
        return peers;
    }
}
