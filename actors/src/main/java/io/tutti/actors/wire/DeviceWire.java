package io.tutti.actors.wire;

import io.tutti.gpu.driver.ConfidentialComputing;
import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.FabricInfo;
import io.tutti.gpu.plan.DeviceFacts;
import io.tutti.gpu.plan.MulticastAnswer;
import io.tutti.proto.DeviceIdentityProto;
import io.tutti.proto.FabricInfoProto;
import io.tutti.proto.MulticastAnswerProto;
import io.tutti.proto.RankFactsProto;

/** What facts say about one device. */
final class DeviceWire {

    private DeviceWire() {}

    /** The part of a rank's facts that is about its device by itself. */
    static void write(DeviceFacts device, RankFactsProto.Builder proto) {
        proto.setDeviceOrdinal(Require.count("deviceOrdinal", device.ordinal()))
                .setDevice(toProto(device.identity()))
                .setComputeCapability(Require.count("computeCapability", device.computeCapability()))
                .setMultiprocessors(Require.count("multiprocessors", device.multiprocessors()))
                .setFreeBytes(Require.count("freeBytes", device.freeBytes()));
        if (device.confidential() != ConfidentialComputing.UNKNOWN) {
            proto.setConfidential(device.confidential() == ConfidentialComputing.ON);
        }
    }

    static DeviceFacts toDevice(RankFactsProto facts) {
        return new DeviceFacts(
                Require.count("deviceOrdinal", facts.getDeviceOrdinal()),
                toIdentity(facts.hasDevice(), facts.getDevice()),
                Require.count("computeCapability", facts.getComputeCapability()),
                Require.count("multiprocessors", facts.getMultiprocessors()),
                Require.count("freeBytes", facts.getFreeBytes()),
                confidential(facts));
    }

    private static ConfidentialComputing confidential(RankFactsProto facts) {
        if (!facts.hasConfidential()) {
            return ConfidentialComputing.UNKNOWN;
        }
        return facts.getConfidential() ? ConfidentialComputing.ON : ConfidentialComputing.OFF;
    }

    private static DeviceIdentityProto toProto(DeviceIdentity device) {
        return DeviceIdentityProto.newBuilder()
                .setName(device.name())
                .setUuid(device.uuid())
                .setPciBusId(device.pciBusId())
                .setTotalBytes(Require.count("totalBytes", device.totalBytes()))
                .build();
    }

    private static DeviceIdentity toIdentity(boolean present, DeviceIdentityProto device) {
        Require.present("device", present);
        return new DeviceIdentity(
                device.getName(),
                device.getUuid(),
                device.getPciBusId(),
                Require.count("totalBytes", device.getTotalBytes()));
    }

    static FabricInfoProto toProto(FabricInfo fabric) {
        FabricInfoProto.Builder proto = FabricInfoProto.newBuilder()
                .setClusterUuid(fabric.clusterUuid())
                .setClique(fabric.clique())
                .setState(fabric.state());
        if (!fabric.health().equals(FabricInfo.UNKNOWN_HEALTH)) {
            proto.setHealth(fabric.health());
        }
        return proto.build();
    }

    static FabricInfo toFabric(boolean present, FabricInfoProto fabric) {
        Require.present("fabric", present);
        return new FabricInfo(
                fabric.getClusterUuid(),
                fabric.getClique(),
                fabric.getState(),
                fabric.hasHealth() ? fabric.getHealth() : FabricInfo.UNKNOWN_HEALTH);
    }

    static MulticastAnswerProto toProto(MulticastAnswer answer) {
        MulticastAnswerProto.Builder proto = MulticastAnswerProto.newBuilder();
        if (answer instanceof MulticastAnswer.Granularity granted) {
            proto.setGranularity(Require.count("granularity", granted.granularity()));
        } else if (answer instanceof MulticastAnswer.Refused refused) {
            proto.setRefused(MulticastAnswerProto.Refused.newBuilder()
                    .setCall(refused.call())
                    .setResult(refused.result())
                    .setAdvice(refused.advice()));
        } else {
            throw Require.unmapped(answer);
        }
        return proto.build();
    }

    static MulticastAnswer toMulticast(MulticastAnswerProto answer) {
        return switch (answer.getAnswerCase()) {
            case GRANULARITY -> new MulticastAnswer.Granularity(Require.count("granularity", answer.getGranularity()));
            case REFUSED ->
                new MulticastAnswer.Refused(
                        answer.getRefused().getCall(),
                        answer.getRefused().getResult(),
                        answer.getRefused().getAdvice());
            case ANSWER_NOT_SET -> throw Require.missing("multicast");
        };
    }
}
