package io.tutti.gpu.cuda.jcuda;

import io.tutti.gpu.cuda.calls.CudaCalls;

/**
 * What JCuda 12.6.0 does not carry, handed on: virtual memory, whose structs it fills from the wrong objects and whose
 * outputs it passes as null; multicast queries and {@code cuLaunchKernelEx}, which it lacks; a device's name, which it
 * leaves empty, and its UUID, whose older symbol it uses; host memory, whose address its {@code Pointer} hides; and the assembler's log.
 */
abstract class RestOfCalls implements CudaCalls {

    private final CudaCalls rest;

    RestOfCalls(CudaCalls rest) {
        this.rest = rest;
    }

    @Override
    public final int cuDeviceGetName(byte[] name, int length, int device) {
        return rest.cuDeviceGetName(name, length, device);
    }

    @Override
    public final int cuDeviceGetUuid(byte[] uuid, int device) {
        return rest.cuDeviceGetUuid(uuid, device);
    }

    @Override
    public final int cuMemHostAlloc(long[] hostAddress, long bytes, int flags) {
        return rest.cuMemHostAlloc(hostAddress, bytes, flags);
    }

    @Override
    public final int cuMemGetAllocationGranularity(long[] bytes, long propertiesAddress, int option) {
        return rest.cuMemGetAllocationGranularity(bytes, propertiesAddress, option);
    }

    @Override
    public final int cuMemCreate(long[] handle, long bytes, long propertiesAddress, long flags) {
        return rest.cuMemCreate(handle, bytes, propertiesAddress, flags);
    }

    @Override
    public final int cuMemRelease(long handle) {
        return rest.cuMemRelease(handle);
    }

    @Override
    public final int cuMemAddressReserve(long[] address, long bytes, long alignment, long wished, long flags) {
        return rest.cuMemAddressReserve(address, bytes, alignment, wished, flags);
    }

    @Override
    public final int cuMemAddressFree(long address, long bytes) {
        return rest.cuMemAddressFree(address, bytes);
    }

    @Override
    public final int cuMemMap(long address, long bytes, long offset, long handle, long flags) {
        return rest.cuMemMap(address, bytes, offset, handle, flags);
    }

    @Override
    public final int cuMemUnmap(long address, long bytes) {
        return rest.cuMemUnmap(address, bytes);
    }

    @Override
    public final int cuMemSetAccess(long address, long bytes, long accessAddress, long count) {
        return rest.cuMemSetAccess(address, bytes, accessAddress, count);
    }

    @Override
    public final int cuMemExportToShareableHandle(long shareableAddress, long handle, int type, long flags) {
        return rest.cuMemExportToShareableHandle(shareableAddress, handle, type, flags);
    }

    @Override
    public final int cuMemImportFromShareableHandle(long[] handle, long shareable, int type) {
        return rest.cuMemImportFromShareableHandle(handle, shareable, type);
    }

    @Override
    public final int cuMulticastGetGranularity(long[] bytes, long propertiesAddress, int option) {
        return rest.cuMulticastGetGranularity(bytes, propertiesAddress, option);
    }

    @Override
    public final int cuModuleLoadDataEx(long[] module, byte[] image, int count, int[] options, long[] values) {
        return rest.cuModuleLoadDataEx(module, image, count, options, values);
    }

    @Override
    public final int cuLaunchKernelEx(long configAddress, long function, long paramsAddress, long extra) {
        return rest.cuLaunchKernelEx(configAddress, function, paramsAddress, extra);
    }
}
