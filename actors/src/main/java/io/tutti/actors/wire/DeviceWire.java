package io.tutti.actors.wire;

import io.tutti.gpu.driver.DeviceIdentity;
import io.tutti.gpu.driver.FabricInfo;
import io.tutti.gpu.plan.MulticastAnswer;
import io.tutti.proto.DeviceIdentityProto;
import io.tutti.proto.FabricInfoProto;
import io.tutti.proto.MulticastAnswerProto;

/** What facts say about one device. */
final class DeviceWire {

    private DeviceWire() {}

    static DeviceIdentityProto toProto(DeviceIdentity device) {
        return DeviceIdentityProto.newBuilder()
                .setName(device.name())
                .setUuid(device.uuid())
                .setPciBusId(device.pciBusId())
                .setTotalBytes(Require.count("totalBytes", device.totalBytes()))
                .build();
    }

    static DeviceIdentity toIdentity(boolean present, DeviceIdentityProto device) {
        Require.present("device", present);
        return new DeviceIdentity(
                device.getName(),
                device.getUuid(),
                device.getPciBusId(),
                Require.count("totalBytes", device.getTotalBytes()));
    }

    static FabricInfoProto toProto(FabricInfo fabric) {
        return FabricInfoProto.newBuilder()
                .setClusterUuid(fabric.clusterUuid())
                .setClique(fabric.clique())
                .setState(fabric.state())
                .build();
    }

    static FabricInfo toFabric(boolean present, FabricInfoProto fabric) {
        Require.present("fabric", present);
        return new FabricInfo(fabric.getClusterUuid(), fabric.getClique(), fabric.getState());
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
