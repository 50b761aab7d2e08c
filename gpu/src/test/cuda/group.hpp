// Ranks of one process over one or several devices: workspaces, control blocks, streams, launches, as the runtime has them.
#pragma once

#include <map>
#include <string>

#include "../../main/cuda/abi.cuh"
#include "driver.hpp"
#include "inputs.hpp"

constexpr uint32_t kGuardWord = 0x5AFE57A6;
constexpr uint64_t kGuard = 256;
constexpr uint32_t kRing = 4096;

// Device memory between two guards.
struct Buffer {
  CUdeviceptr base = 0;
  uint64_t bytes = 0;

  explicit Buffer(uint64_t size) : bytes((size + 15) / 16 * 16) {
    CU(cuMemAlloc, &base, bytes + 2 * kGuard);
    const std::vector<uint32_t> guard(kGuard / 4, kGuardWord);
    CU(cuMemcpyHtoD, base, guard.data(), kGuard);
    CU(cuMemcpyHtoD, base + kGuard + bytes, guard.data(), kGuard);
  }
  Buffer(const Buffer&) = delete;
  ~Buffer() { CU(cuMemFree, base); }
  CUdeviceptr at() const { return base + kGuard; }
  bool intact() const {
    std::vector<uint32_t> words(kGuard / 4);
    for (CUdeviceptr guard : {base, base + kGuard + bytes}) {
      CU(cuMemcpyDtoH, words.data(), guard, kGuard);
      for (uint32_t word : words) {
        if (word != kGuardWord) return false;
      }
    }
    return true;
  }
};

// WorkspaceLayout.
struct Layout {
  uint64_t world, one_shot_bytes, slice_bytes;
  uint64_t abort_slots, channels, headers, verify, pad_guard, regions[4], end_guard;

  static uint64_t align(uint64_t v) { return (v + 127) / 128 * 128; }
  static uint64_t slice(uint64_t world, uint64_t bytes, uint64_t vector) {
    return (bytes / vector + world - 1) / world * vector;
  }
  Layout(uint64_t w, uint64_t one_shot, uint64_t two_shot) : world(w), one_shot_bytes(one_shot) {
    slice_bytes = align(std::max(slice(w, two_shot, 32), slice(w, two_shot, 16)));
    abort_slots = 128;
    channels = align(abort_slots + 8 * w);
    headers = align(channels + 8 * w);
    verify = align(headers + 48 * w);
    pad_guard = align(verify + 128 * w);
    uint64_t next = pad_guard + 128;
    for (int region = 0; region < 4; region++) {
      regions[region] = next;
      next += 3 * w * slot_bytes(region);
    }
    end_guard = next;
  }
  uint64_t slot_bytes(int region) const { return region == 0 ? one_shot_bytes : slice_bytes; }
  uint64_t total() const { return end_guard + 128; }
};

struct Geometry {
  unsigned blocks = 1;
  unsigned threads = 1024;
  bool programmatic = false;
};

struct Device {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  std::map<std::string, CUfunction> kernels;
  int multiprocessors;
  int ranks = 0;
};

struct Rank {
  Device* device;
  int number;
  CUstream stream;
  CUstream aside;
  Buffer* control;
  Buffer* workspace;
  uint32_t* abort_word;
  CUdeviceptr abort_word_device;
  volatile uint8_t* ring;
  CUdeviceptr ring_device;
  uint64_t launched = 0;
};

struct Outcome {
  uint32_t code;
  int named;
  uint64_t epoch, sequence;
  uint32_t nanos;
};

inline std::vector<Device> open_devices(const std::string& ptx, int limit) {
  int count = 0;
  CU(cuDeviceGetCount, &count);
  std::vector<Device> devices(std::min(count, limit));
  for (size_t i = 0; i < devices.size(); i++) {
    Device& d = devices[i];
    CU(cuDeviceGet, &d.device, static_cast<int>(i));
    CU(cuDevicePrimaryCtxRetain, &d.context, d.device);
    CU(cuCtxSetCurrent, d.context);
    CU(cuDeviceGetAttribute, &d.multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, d.device);
    CU(cuModuleLoadData, &d.module, ptx.c_str());
    std::vector<std::string> names = {"tutti_arm", "tutti_write_pattern", "tutti_verify_pattern"};
    for (const char* type : {"bf16", "fp16", "fp32"}) {
      for (const char* suffix : {"", "_pair", "_single", "_pair_single", "_wide"}) names.push_back(std::string("tutti_fused_one_shot_") + type + suffix);
      for (const char* kind : {"fused_two_shot", "local_reduce", "local_norm"}) {
        names.push_back(std::string("tutti_") + kind + "_" + type);
      }
    }
    for (const std::string& name : names) {
      CU(cuModuleGetFunction, &d.kernels[name], d.module, name.c_str());
      CU(cuFuncLoad, d.kernels[name]);
    }
  }
  for (Device& d : devices) {
    CU(cuCtxSetCurrent, d.context);
    for (Device& peer : devices) {
      if (&peer != &d) CU(cuCtxEnablePeerAccess, peer.context, 0);
    }
  }
  return devices;
}

struct Group {
  Layout layout;
  std::vector<Rank> ranks;
  uint64_t term = 7;
  uint64_t epoch = 0;
  uint64_t timeout = 10000000000ull;

  Group(std::vector<Device>& devices, int world, uint64_t one_shot, uint64_t two_shot)
      : layout(world, one_shot, two_shot), ranks(world) {
    for (Device& d : devices) d.ranks = 0;
    for (int i = 0; i < world; i++) {
      Rank& r = ranks[i];
      r.device = &devices[i % devices.size()];
      r.device->ranks++;
      r.number = i;
      enter(r);
      CU(cuStreamCreate, &r.stream, CU_STREAM_NON_BLOCKING);
      CU(cuStreamCreate, &r.aside, CU_STREAM_NON_BLOCKING);
      r.control = new Buffer(sizeof(tutti::Control));
      r.workspace = new Buffer(layout.total());
      void* host = nullptr;
      CU(cuMemHostAlloc, &host, 64, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE);
      r.abort_word = static_cast<uint32_t*>(host);
      *r.abort_word = 0;
      CU(cuMemHostGetDevicePointer, &r.abort_word_device, host, 0);
      CU(cuMemHostAlloc, &host, kRing * 64, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE);
      std::memset(host, 0, kRing * 64);
      r.ring = static_cast<volatile uint8_t*>(host);
      CU(cuMemHostGetDevicePointer, &r.ring_device, host, 0);
      CU(cuMemsetD8, r.workspace->at(), 0, layout.total());
      CU(cuMemsetD8, r.control->at(), 0, sizeof(tutti::Control));
      CU(cuCtxSynchronize);
    }
    next_epoch();
  }

  ~Group() {
    for (Rank& r : ranks) {
      enter(r);
      delete r.control;
      delete r.workspace;
    }
  }

  void enter(const Rank& r) const { CU(cuCtxSetCurrent, r.device->context); }

  // As fresh memory is.
  void zero_workspaces() {
    for (Rank& r : ranks) {
      enter(r);
      CU(cuMemsetD8, r.workspace->at(), 0, layout.pad_guard);
      CU(cuMemsetD8, r.workspace->at() + layout.pad_guard + 128, 0, layout.end_guard - layout.pad_guard - 128);
      CU(cuCtxSynchronize);
    }
  }

  // Opens an epoch on the same memory, which is allowed since all streams are idle, and arms it.
  void next_epoch() {
    epoch++;
    for (Rank& r : ranks) {
      enter(r);
      tutti::Control c;
      CU(cuMemcpyDtoH, &c, r.control->at(), sizeof c);
      c.magic = tutti::kControlMagic;
      c.abi_version = tutti::kAbiVersion;
      c.term = term;
      c.epoch = epoch;
      c.rank = r.number;
      c.world = ranks.size();
      c.host_abort = r.abort_word_device;
      c.status_ring = r.ring_device;
      c.ring_mask = kRing - 1;
      c.workspace_bytes = layout.total();
      c.abort_slots = layout.abort_slots;
      c.channels = layout.channels;
      c.headers = layout.headers;
      c.verify = layout.verify;
      for (int region = 0; region < 4; region++) {
        c.regions[region] = {layout.regions[region], layout.slot_bytes(region)};
      }
      for (size_t peer = 0; peer < ranks.size(); peer++) c.workspaces[peer] = ranks[peer].workspace->at();
      CU(cuMemcpyHtoD, r.control->at(), &c, sizeof c);
      const std::vector<uint32_t> guard(32, kGuardWord);
      CU(cuMemcpyHtoD, r.workspace->at() + layout.pad_guard, guard.data(), 128);
      CU(cuMemcpyHtoD, r.workspace->at() + layout.end_guard, guard.data(), 128);
      CU(cuMemsetD8, r.workspace->at() + layout.verify, 0, 128 * ranks.size());
      CU(cuCtxSynchronize);
    }
    for (Rank& r : ranks) common(r, "tutti_arm", Geometry{16, 1024});
    synchronise();
  }

  tutti::Launch prefix(const Rank& r, uint32_t bytes) const {
    return tutti::Launch{tutti::kAbiVersion, bytes, r.control->at(), term, epoch, timeout};
  }

  void launch(Rank& r, const std::string& kernel, const Geometry& g, void* params) {
    CUlaunchAttribute attribute{};
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
    CUlaunchConfig config{};
    config.gridDimX = g.blocks;
    config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = g.threads;
    config.blockDimY = config.blockDimZ = 1;
    config.hStream = r.stream;
    config.attrs = &attribute;
    config.numAttrs = g.programmatic ? 1 : 0;
    void* table[] = {params};
    CU(cuLaunchKernelEx, &config, r.device->kernels.at(kernel), table, nullptr);
    r.launched++;
  }

  void common(Rank& r, const std::string& kernel, const Geometry& g) {
    enter(r);
    tutti::Launch params = prefix(r, sizeof params);
    launch(r, kernel, g, &params);
  }

  void synchronise() {
    for (Rank& r : ranks) {
      enter(r);
      CU(cuStreamSynchronize, r.stream);
    }
  }

  Outcome outcome(const Rank& r, uint64_t number) const {
    tutti::Record record;
    std::memcpy(&record, const_cast<uint8_t*>(r.ring) + number % kRing * 64, sizeof record);
    if (record.number != static_cast<uint32_t>(number + 1)) return Outcome{0, -2, 0, 0, 0};
    return Outcome{record.code, record.named_rank, record.epoch, record.sequence, record.nanos};
  }
  Outcome last(const Rank& r) const { return outcome(r, r.launched - 1); }

  bool guards() const {
    bool good = true;
    for (const Rank& r : ranks) {
      enter(r);
      good &= r.control->intact() && r.workspace->intact();
      std::vector<uint32_t> words(32);
      for (uint64_t offset : {layout.pad_guard, layout.end_guard}) {
        CU(cuMemcpyDtoH, words.data(), r.workspace->at() + offset, 128);
        for (uint32_t word : words) good &= word == kGuardWord;
      }
    }
    return good;
  }
};
