package io.tutti.gpu.host;

import io.tutti.gpu.driver.CuFunction;
import io.tutti.gpu.driver.CuModule;
import io.tutti.gpu.driver.CuResult;
import io.tutti.gpu.driver.DriverException;
import io.tutti.gpu.host.execution.HostKernel;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/** Modules and their kernels: Java code by image and kernel name. */
final class ModuleCalls {

    /**
     * A kernel of a loaded module.
     *
     * @param device the module's device
     * @param name the kernel's name
     * @param code what runs
     */
    record Function(int device, String name, HostKernel code) {}

    private static final class Module {
        final int device;
        final String image;
        final Map<String, HostKernel> kernels;
        final Map<String, Long> functions = new HashMap<>();

        Module(int device, String image, Map<String, HostKernel> kernels) {
            this.device = device;
            this.image = image;
            this.kernels = kernels;
        }
    }

    private final HostProcess process;
    private final Map<String, Map<String, HostKernel>> images;
    private final HandleTable<Module> modules = new HandleTable<>();
    private final HandleTable<Function> functions = new HandleTable<>();

    ModuleCalls(HostProcess process, Map<String, Map<String, HostKernel>> images) {
        this.process = process;
        this.images = images;
    }

    CuModule load(String call, String image) {
        HostDevice device = process.current(call);
        Map<String, HostKernel> kernels = images.get(image);
        if (kernels == null) {
            throw new DriverException(
                    call,
                    CuResult.CUDA_ERROR_NOT_FOUND,
                    "image=" + image + " images=" + new TreeSet<>(images.keySet()));
        }
        return new CuModule(modules.add(new Module(device.ordinal(), image, kernels)));
    }

    synchronized void unload(String call, CuModule module) {
        Module removed = modules.remove(module.value());
        if (removed == null) {
            throw unknown(call, module);
        }
        removed.functions.values().forEach(functions::remove);
        process.checkCurrentAlive(call);
    }

    /** The same kernel of a module is one function, however often it is asked for. */
    synchronized CuFunction find(String call, CuModule module, String kernel) {
        process.checkCurrentAlive(call);
        if (kernel.isEmpty()) {
            throw HostProcess.invalidValue(call, "kernel is empty");
        }
        Module found = modules.get(module.value());
        if (found == null) {
            throw unknown(call, module);
        }
        HostKernel code = found.kernels.get(kernel);
        if (code == null) {
            throw new DriverException(
                    call,
                    CuResult.CUDA_ERROR_NOT_FOUND,
                    "kernel=" + kernel + " image=" + found.image + " kernels=" + new TreeSet<>(found.kernels.keySet()));
        }
        return new CuFunction(
                found.functions.computeIfAbsent(kernel, name -> functions.add(new Function(found.device, name, code))));
    }

    Function function(String call, CuFunction function) {
        Function found = functions.get(function.value());
        if (found == null) {
            throw HostProcess.invalidHandle(call, "function=0x" + Long.toHexString(function.value()) + " live=false");
        }
        return found;
    }

    private static DriverException unknown(String call, CuModule module) {
        return HostProcess.invalidHandle(call, "module=0x" + Long.toHexString(module.value()) + " live=false");
    }

    void count(Map<String, Long> live) {
        live.put("module", modules.size());
    }
}
