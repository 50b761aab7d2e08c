/*
 * A stand-in for libcuda.so.1 that has no device: it writes down the arguments that it receives and answers as it is told.
 *
 *   STANDIN_LOG      the file that gets one line per call
 *   STANDIN_ANSWERS  name=code pairs, separated by commas, for calls that are to fail
 *   STANDIN_VERSION  what cuDriverGetVersion answers (13000)
 *   STANDIN_DEVICES  what cuDeviceGetCount answers (2)
 *   STANDIN_MAJOR    the major compute capability of every device (9)
 *
 * Plain device memory is ordinary memory, so copies really copy.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef uint32_t u32;

static FILE *out(void) {
  static FILE *log;
  if (!log) log = fopen(getenv("STANDIN_LOG"), "a");
  return log;
}

static int number(const char *name, int fallback) {
  const char *text = getenv(name);
  return text && *text ? atoi(text) : fallback;
}

static int answer(const char *call) {
  const char *at = getenv("STANDIN_ANSWERS");
  size_t length = strlen(call);
  while (at && *at) {
    if (!strncmp(at, call, length) && at[length] == '=') return atoi(at + length + 1);
    at = strchr(at, ',');
    if (at) at++;
  }
  return 0;
}

static void bytes(const char *name, const void *p, int n) {
  fprintf(out(), " %s=", name);
  for (int i = 0; i < n; i++) fprintf(out(), "%02x", ((const unsigned char *)p)[i]);
}

#define CALL(name, ...)                         \
  do {                                          \
    fprintf(out(), name __VA_ARGS__);           \
  } while (0)
#define END(name)                               \
  do {                                          \
    fprintf(out(), "\n");                       \
    fflush(out());                              \
    return answer(name);                        \
  } while (0)

static u64 next_handle = 0x7000;
static _Thread_local u64 current;
static _Thread_local int capture_mode;

int cuInit(u32 flags) { CALL("cuInit", " flags=%u", flags); END("cuInit"); }
int cuDriverGetVersion(int *v) { *v = number("STANDIN_VERSION", 13000); return answer("cuDriverGetVersion"); }
int cuDeviceGetCount(int *n) { *n = number("STANDIN_DEVICES", 2); return answer("cuDeviceGetCount"); }
int cuDeviceGet(int *d, int ordinal) {
  *d = ordinal;
  return ordinal < number("STANDIN_DEVICES", 2) ? answer("cuDeviceGet") : 101;
}
int cuDeviceGetName(char *name, int n, int d) { snprintf(name, n, "Recorder %d", d); return 0; }
int cuDeviceGetUuid_v2(unsigned char *uuid, int d) {
  for (int i = 0; i < 16; i++) uuid[i] = (unsigned char)(16 * d + i);
  return 0;
}
int cuDeviceGetPCIBusId(char *id, int n, int d) { snprintf(id, n, "0000:0%d:00.0", d); return 0; }
int cuDeviceTotalMem_v2(size_t *b, int d) { *b = (size_t)141 << 30; return 0; }
int cuDeviceGetAttribute(int *v, int attribute, int d) {
  switch (attribute) {
    case 16: *v = 132; break;
    case 75: *v = number("STANDIN_MAJOR", 9); break;
    case 76: *v = 0; break;
    default: *v = 1;
  }
  return 0;
}
int cuDeviceCanAccessPeer(int *can, int d, int p) { *can = d != p; return 0; }

int cuDevicePrimaryCtxRetain(u64 *c, int d) {
  *c = 0xc0000 + d;
  CALL("cuDevicePrimaryCtxRetain", " device=%d mode=%d", d, capture_mode);
  END("cuDevicePrimaryCtxRetain");
}
int cuDevicePrimaryCtxRelease_v2(int d) { CALL("cuDevicePrimaryCtxRelease", " device=%d", d); END("cuDevicePrimaryCtxRelease"); }
int cuCtxSetCurrent(u64 c) { current = c; return answer("cuCtxSetCurrent"); }
int cuCtxGetCurrent(u64 *c) { *c = current; return 0; }
int cuCtxGetDevice(int *d) { *d = (int)(current & 0xff); return current ? 0 : 201; }
int cuCtxEnablePeerAccess(u64 p, u32 f) { CALL("cuCtxEnablePeerAccess", " peer=%lx flags=%u", p, f); END("cuCtxEnablePeerAccess"); }
int cuMemGetInfo_v2(size_t *f, size_t *t) { *f = 1000; *t = 2000; return 0; }

int cuMemAlloc_v2(u64 *p, size_t n) {
  CALL("cuMemAlloc", " bytes=%zu mode=%d", n, capture_mode);
  *p = (u64)calloc(1, n);
  END("cuMemAlloc");
}
int cuMemFree_v2(u64 p) { free((void *)p); CALL("cuMemFree", ""); END("cuMemFree"); }
int cuMemHostAlloc(void **p, size_t n, u32 f) {
  *p = aligned_alloc(4096, (n + 4095) / 4096 * 4096);
  memset(*p, 0xee, n);
  CALL("cuMemHostAlloc", " bytes=%zu flags=%u", n, f);
  END("cuMemHostAlloc");
}
int cuMemHostGetDevicePointer_v2(u64 *d, void *p, u32 f) { *d = (u64)p + 0x100000000000; return answer("cuMemHostGetDevicePointer"); }
int cuMemFreeHost(void *p) { free(p); CALL("cuMemFreeHost", ""); END("cuMemFreeHost"); }
int cuMemcpyHtoDAsync_v2(u64 d, const void *s, size_t n, u64 st) {
  CALL("cuMemcpyHtoDAsync", " bytes=%zu ownStream=%d", n, st != 0);
  if (!answer("cuMemcpyHtoDAsync")) memcpy((void *)d, s, n);
  END("cuMemcpyHtoDAsync");
}
int cuMemcpyDtoHAsync_v2(void *d, u64 s, size_t n, u64 st) {
  CALL("cuMemcpyDtoHAsync", " bytes=%zu ownStream=%d", n, st != 0);
  memcpy(d, (void *)s, n);
  END("cuMemcpyDtoHAsync");
}
int cuMemcpyDtoDAsync_v2(u64 d, u64 s, size_t n, u64 st) { CALL("cuMemcpyDtoDAsync", " d=%lx s=%lx bytes=%zu stream=%lx", d, s, n, st); END("cuMemcpyDtoDAsync"); }
int cuMemsetD32Async(u64 d, u32 v, size_t n, u64 st) { CALL("cuMemsetD32Async", " d=%lx value=%x count=%zu stream=%lx", d, v, n, st); END("cuMemsetD32Async"); }

int cuMemGetAllocationGranularity(size_t *g, const void *prop, int option) {
  *g = 2 << 20;
  CALL("cuMemGetAllocationGranularity", " option=%d", option);
  bytes("prop", prop, 32);
  END("cuMemGetAllocationGranularity");
}
int cuMemCreate(u64 *h, size_t n, const void *prop, u64 flags) {
  *h = ++next_handle;
  CALL("cuMemCreate", " bytes=%zu flags=%lu mode=%d", n, flags, capture_mode);
  bytes("prop", prop, 32);
  END("cuMemCreate");
}
int cuMemRelease(u64 h) { CALL("cuMemRelease", " handle=%lx", h); END("cuMemRelease"); }
int cuMemAddressReserve(u64 *p, size_t n, size_t align, u64 wish, u64 flags) {
  *p = 0x700000000000;
  CALL("cuMemAddressReserve", " bytes=%zu alignment=%zu wish=%lx flags=%lu", n, align, wish, flags);
  END("cuMemAddressReserve");
}
int cuMemAddressFree(u64 p, size_t n) { CALL("cuMemAddressFree", " p=%lx bytes=%zu", p, n); END("cuMemAddressFree"); }
int cuMemMap(u64 p, size_t n, size_t o, u64 h, u64 f) { CALL("cuMemMap", " p=%lx bytes=%zu offset=%zu handle=%lx flags=%lu", p, n, o, h, f); END("cuMemMap"); }
int cuMemUnmap(u64 p, size_t n) { CALL("cuMemUnmap", " p=%lx bytes=%zu", p, n); END("cuMemUnmap"); }
int cuMemSetAccess(u64 p, size_t n, const void *desc, size_t count) {
  CALL("cuMemSetAccess", " p=%lx bytes=%zu count=%zu", p, n, count);
  bytes("desc", desc, 12);
  END("cuMemSetAccess");
}
int cuMemExportToShareableHandle(void *o, u64 h, int type, u64 flags) {
  CALL("cuMemExportToShareableHandle", " out=%s handle=%lx type=%d flags=%lu", o ? "set" : "null", h, type, flags);
  if (type == 1) *(int *)o = 77;
  if (type == 8) memset(o, 0xab, 64);
  END("cuMemExportToShareableHandle");
}
int cuMemImportFromShareableHandle(u64 *h, void *os, int type) {
  *h = ++next_handle;
  CALL("cuMemImportFromShareableHandle", " type=%d", type);
  if (type == 8) bytes("fabric", os, 64);
  else fprintf(out(), " value=%ld", (long)os);
  END("cuMemImportFromShareableHandle");
}
int cuMulticastGetGranularity(size_t *g, const void *prop, int option) {
  *g = 2 << 20;
  CALL("cuMulticastGetGranularity", " option=%d", option);
  bytes("prop", prop, 32);
  END("cuMulticastGetGranularity");
}

typedef struct { unsigned char reserved[64]; } ipc_handle;
int cuIpcGetMemHandle(ipc_handle *h, u64 p) {
  for (int i = 0; i < 64; i++) h->reserved[i] = (unsigned char)i;
  CALL("cuIpcGetMemHandle", "");
  END("cuIpcGetMemHandle");
}
int cuIpcOpenMemHandle_v2(u64 *p, ipc_handle h, u32 flags) {
  *p = 0x710000000000;
  CALL("cuIpcOpenMemHandle", " flags=%u", flags);
  bytes("handle", &h, 64);
  END("cuIpcOpenMemHandle");
}
int cuIpcCloseMemHandle(u64 p) { CALL("cuIpcCloseMemHandle", " p=%lx", p); END("cuIpcCloseMemHandle"); }

int cuStreamCreate(u64 *s, u32 f) { *s = ++next_handle; CALL("cuStreamCreate", " flags=%u", f); END("cuStreamCreate"); }
int cuStreamDestroy_v2(u64 s) { CALL("cuStreamDestroy", ""); END("cuStreamDestroy"); }
int cuStreamQuery(u64 s) { return answer("cuStreamQuery"); }
int cuStreamWaitEvent(u64 s, u64 e, u32 f) { CALL("cuStreamWaitEvent", " flags=%u", f); END("cuStreamWaitEvent"); }
int cuEventCreate(u64 *e, u32 f) { *e = ++next_handle; CALL("cuEventCreate", " flags=%u", f); END("cuEventCreate"); }
int cuEventDestroy_v2(u64 e) { CALL("cuEventDestroy", ""); END("cuEventDestroy"); }
int cuEventRecord(u64 e, u64 s) { CALL("cuEventRecord", ""); END("cuEventRecord"); }
int cuEventQuery(u64 e) { return answer("cuEventQuery"); }
int cuEventElapsedTime(float *ms, u64 a, u64 b) { *ms = 1.5f; return answer("cuEventElapsedTime"); }

int cuModuleLoadData(u64 *m, const char *image) {
  *m = ++next_handle;
  CALL("cuModuleLoadData", " text=%.16s length=%zu", image, strlen(image));
  END("cuModuleLoadData");
}
int cuModuleLoadDataEx(u64 *m, const char *image, u32 n, int *options, void **values) {
  *m = ++next_handle;
  CALL("cuModuleLoadDataEx", " count=%u options=%d,%d size=%lu", n, options[0], options[1], (unsigned long)values[1]);
  strcpy(values[0], "ptxas fatal: the stand-in assembles nothing\n");
  END("cuModuleLoadDataEx");
}
int cuModuleUnload(u64 m) { CALL("cuModuleUnload", ""); END("cuModuleUnload"); }
int cuModuleGetFunction(u64 *f, u64 m, const char *name) { *f = ++next_handle; CALL("cuModuleGetFunction", " name=%s", name); END("cuModuleGetFunction"); }
int cuFuncGetAttribute(int *v, int a, u64 f) { *v = 1024; return 0; }
int cuFuncSetAttribute(u64 f, int a, int v) { CALL("cuFuncSetAttribute", " attribute=%d value=%d", a, v); END("cuFuncSetAttribute"); }
int cuLaunchKernel(u64 f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 shared, u64 st, void **params, void **extra) {
  CALL("cuLaunchKernel", " grid=%u,%u,%u block=%u,%u,%u shared=%u stream=%lx extra=%s", gx, gy, gz, bx, by, bz, shared, st,
       extra ? "set" : "null");
  bytes("params", params[0], 16);
  END("cuLaunchKernel");
}
typedef struct { u32 grid[3], block[3], shared; u64 stream; const unsigned char *attributes; u32 count; } launch_config;
int cuLaunchKernelEx(const launch_config *c, u64 f, void **params, void **extra) {
  CALL("cuLaunchKernelEx", " size=%zu grid=%u,%u,%u block=%u,%u,%u shared=%u stream=%lx count=%u extra=%s", sizeof *c,
       c->grid[0], c->grid[1], c->grid[2], c->block[0], c->block[1], c->block[2], c->shared, c->stream, c->count,
       extra ? "set" : "null");
  for (u32 i = 0; i < c->count; i++) bytes("attribute", c->attributes + 72 * i, 72);
  bytes("params", params[0], 16);
  END("cuLaunchKernelEx");
}

int cuThreadExchangeStreamCaptureMode(int *mode) {
  int before = capture_mode;
  capture_mode = *mode;
  *mode = before;
  return 0;
}
int cuStreamIsCapturing(u64 s, int *status) { *status = 0; CALL("cuStreamIsCapturing", ""); END("cuStreamIsCapturing"); }
int cuStreamBeginCapture_v2(u64 s, int mode) { CALL("cuStreamBeginCapture", " mode=%d", mode); END("cuStreamBeginCapture"); }
int cuStreamEndCapture(u64 s, u64 *g) { *g = ++next_handle; CALL("cuStreamEndCapture", ""); END("cuStreamEndCapture"); }
int cuGraphInstantiateWithFlags(u64 *e, u64 g, u64 f) { *e = ++next_handle; CALL("cuGraphInstantiate", " flags=%lu", f); END("cuGraphInstantiate"); }
int cuGraphDestroy(u64 g) { CALL("cuGraphDestroy", ""); END("cuGraphDestroy"); }
int cuGraphExecDestroy(u64 e) { CALL("cuGraphExecDestroy", ""); END("cuGraphExecDestroy"); }
int cuGraphLaunch(u64 e, u64 s) { CALL("cuGraphLaunch", ""); END("cuGraphLaunch"); }
