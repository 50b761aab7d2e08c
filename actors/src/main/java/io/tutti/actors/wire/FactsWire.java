package io.tutti.actors.wire;

import io.tutti.gpu.plan.RankFacts;
import io.tutti.proto.FactsProto;
import io.tutti.proto.RankFactsProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Ranks' facts; the UUIDs of peer devices are written once for all of them. */
final class FactsWire {

    private FactsWire() {}

    static FactsProto toProto(List<RankFacts> ranks) {
        Set<String> uuids = new TreeSet<>();
        ranks.forEach(rank -> uuids.addAll(rank.peerDeviceUuids()));
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
        return RankFactsProto.newBuilder()
                .setRank(Require.count("rank", facts.rank()))
                .setHostId(facts.hostId())
                .setHostName(facts.hostName())
                .setProcessId(facts.processId())
                .setDriver(facts.driver())
                .setDriverVersion(Require.count("driverVersion", facts.driverVersion()))
                .setDeviceOrdinal(Require.count("deviceOrdinal", facts.deviceOrdinal()))
                .setDevice(DeviceWire.toProto(facts.device()))
                .setComputeCapability(Require.count("computeCapability", facts.computeCapability()))
                .setMultiprocessors(Require.count("multiprocessors", facts.multiprocessors()))
                .setFreeBytes(Require.count("freeBytes", facts.freeBytes()))
                .setAllocationGranularity(Require.count("allocationGranularity", facts.allocationGranularity()))
                .addAllExportable(EnumWire.kindsToProto(facts.exportable()))
                .addAllPeerDevices(facts.peerDeviceUuids().stream()
                        .map(positions::get)
                        .sorted()
                        .toList())
                .setFabric(DeviceWire.toProto(facts.fabric()))
                .setMulticast(DeviceWire.toProto(facts.multicast()))
                .setAbiVersion(Require.count("abiVersion", facts.abiVersion()))
                .build();
    }

    private static RankFacts toFacts(RankFactsProto facts, List<String> uuids) {
        return new RankFacts(
                Require.count("rank", facts.getRank()),
                facts.getHostId(),
                facts.getHostName(),
                facts.getProcessId(),
                facts.getDriver(),
                Require.count("driverVersion", facts.getDriverVersion()),
                Require.count("deviceOrdinal", facts.getDeviceOrdinal()),
                DeviceWire.toIdentity(facts.hasDevice(), facts.getDevice()),
                Require.count("computeCapability", facts.getComputeCapability()),
                Require.count("multiprocessors", facts.getMultiprocessors()),
                Require.count("freeBytes", facts.getFreeBytes()),
                Require.count("allocationGranularity", facts.getAllocationGranularity()),
                EnumWire.toKinds(facts.getExportableValueList()),
                peerDevices(facts, uuids),
                DeviceWire.toFabric(facts.hasFabric(), facts.getFabric()),
                DeviceWire.toMulticast(facts.getMulticast()),
                Require.count("abiVersion", facts.getAbiVersion()));
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
