// The CUDA driver's calls, found at run time so that the harness is built without a driver.
#pragma once

#include <cuda.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#define TUTTI_CALLS(X)                                                                                              \
  X(cuInit) X(cuDriverGetVersion) X(cuDeviceGetCount) X(cuDeviceGet) X(cuDeviceGetName) X(cuDeviceGetAttribute)     \
  X(cuDevicePrimaryCtxRetain) X(cuCtxSetCurrent) X(cuCtxEnablePeerAccess) X(cuModuleLoadData)                       \
  X(cuModuleGetFunction) X(cuFuncGetAttribute) X(cuMemAlloc) X(cuMemFree) X(cuMemHostAlloc)                         \
  X(cuMemHostGetDevicePointer) X(cuMemcpyHtoD) X(cuMemcpyDtoH) X(cuMemsetD32Async) X(cuMemsetD8) X(cuStreamCreate)  \
  X(cuStreamSynchronize) X(cuStreamQuery) X(cuStreamWaitEvent) X(cuLaunchKernelEx) X(cuStreamBeginCapture)          \
  X(cuStreamEndCapture) X(cuGraphInstantiate) X(cuGraphLaunch) X(cuGraphExecDestroy) X(cuGraphDestroy)              \
  X(cuEventCreate) X(cuEventRecord) X(cuEventElapsedTime) X(cuGetErrorName) X(cuFuncLoad) X(cuCtxSynchronize)

#define TUTTI_TEXT_OF(name) #name
#define TUTTI_TEXT(name) TUTTI_TEXT_OF(name)

struct Calls {
#define X(name) decltype(&::name) name##_;
  TUTTI_CALLS(X)
#undef X
};

inline Calls calls;

inline void load_calls() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == nullptr) {
    std::fprintf(stderr, "no CUDA driver: %s\n", dlerror());
    std::exit(77);
  }
#define X(name) calls.name##_ = reinterpret_cast<decltype(&::name)>(dlsym(library, TUTTI_TEXT(name)));
  TUTTI_CALLS(X)
#undef X
}

inline void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  const char* name = "?";
  calls.cuGetErrorName_(result, &name);
  std::fprintf(stderr, "%s failed: %s (%d)\n", what, name, static_cast<int>(result));
  std::exit(3);
}

#define CU(name, ...) check(calls.name##_(__VA_ARGS__), #name)
