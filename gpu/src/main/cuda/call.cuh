// One run of a kernel: the check at entry, what every wait looks at, and what is left behind at the end.
//
// enter() compares the interface and the captured epoch and touches nothing but the control block; admit() looks at the
// abort words, before the first push. Whatever fails afterwards calls fail() and makes its way to leave(), which every
// block reaches. The first block closes the call for the whole grid: it waits for the others, then writes the sequence,
// the status word and the record.
#pragma once

#include "abi.cuh"
#include "memory.cuh"
#include "numerics.cuh"

namespace tutti {

// Rounds of a wait between two looks at the abort words and the clock.
constexpr uint32_t kLookEvery = 32;

constexpr uint32_t kWarps = 32;
constexpr uint32_t kMaxPasses = 32;

// What the threads of a block know in common. Written by enter().
struct Call {
  Control control;  // as it was at entry
  Launch launch;
  uint64_t start;
  uint64_t sequence;  // 0 for kernels that have none
  uint64_t fingerprint;  // 0 for kernels that have no call
  uint64_t retired;
  uint32_t stage;
  uint32_t outcome;  // why this block failed
  int aborted_by;
  int host_word_reader;
  float sums[2][kMaxPasses][kWarps];

  __device__ uint32_t epoch() const { return static_cast<uint32_t>(launch.epoch); }
  __device__ Control* live() const { return reinterpret_cast<Control*>(launch.control); }
  __device__ char* workspace(uint32_t owner) const { return reinterpret_cast<char*>(control.workspaces[owner]); }

  __device__ char* abort_slot(uint32_t owner, uint32_t slot) const {
    return workspace(owner) + control.abort_slots + slot * sizeof(uint32_t);
  }

  // A source's slot of this call's stage.
  __device__ char* slot(Region region, uint32_t owner, uint32_t source) const {
    const RegionPlace& place = control.regions[region];
    return workspace(owner) + place.offset +
           (static_cast<uint64_t>(stage) * control.world + source) * place.slot_bytes;
  }

  __device__ Record* record() const {
    return reinterpret_cast<Record*>(control.status_ring + (retired & control.ring_mask) * kRecordBytes);
  }
};

static __shared__ Call call;

__device__ __forceinline__ uint32_t lane() { return threadIdx.x & 31; }
__device__ __forceinline__ uint32_t warp() { return threadIdx.x >> 5; }
__device__ __forceinline__ bool leads() { return blockIdx.x == 0; }

// The block's last warp speaks for it: it looks at the abort words before the first push, and in the first block it sends
// and matches headers and closes the call. Where a block has room for one, it is a warp that no row needs.
__device__ __forceinline__ bool speaks() { return warp() == blockDim.x / 32 - 1; }

__device__ __forceinline__ uint32_t pack_outcome(Code code, int rank) {
  return static_cast<uint32_t>(code) << 16 | static_cast<uint32_t>(rank + 1);
}

// What a record says when all goes well, written while there is something to wait for anyway: the host's memory is far.
__device__ __forceinline__ void write_facts(Code code = Code::kOk, int named_rank = -1) {
  Record* record = call.record();
  record->epoch = call.launch.epoch;
  record->sequence = call.sequence;
  record->code = static_cast<uint32_t>(code);
  record->named_rank = named_rank;
}

// Writes the status word and publishes the record, behind a release at system scope unless there has been one since the
// last write that matters; by one thread of the first block, last of all.
static __device__ __noinline__ void close(Code code, int named_rank, uint64_t nanos, bool released) {
  Control* live = call.live();
  live->retired = call.retired + 1;
  live->last_rank = named_rank;
  live->last_status = static_cast<uint32_t>(code);
  if (code != Code::kOk || call.sequence == 0) {
    write_facts(code, named_rank);
    released = false;
  }
  const uint64_t capped = nanos < 0xffffffffu ? nanos : 0xffffffffu;
  const uint64_t published = capped << 32 | static_cast<uint32_t>(call.retired + 1);
  if (released) {
    store_system_long(call.record(), published);
  } else {
    store_release_system_long(call.record(), published);
  }
}

// Copies the control block and compares the interface and the captured epoch. False when the kernel has left. The kernel
// before may still run: the host writes the epoch part only while the stream is idle, so that part is as it will be.
// Counters and all other memory are read after arrive().
__device__ __forceinline__ bool enter(const Launch& launch, uint32_t struct_bytes) {
  uint4* copy = reinterpret_cast<uint4*>(&call.control);
#pragma unroll 1
  for (uint32_t i = threadIdx.x; i < sizeof(Control) / sizeof(uint4); i += blockDim.x) {
    copy[i] = load_device(reinterpret_cast<const uint4*>(launch.control) + i);
  }
  if (threadIdx.x == 0) {
    call.launch = launch;
    call.sequence = 0;
    call.stage = 0;
    call.outcome = 0;
    call.host_word_reader = 0;
  }
  __syncthreads();
  const Control& seen = call.control;
  if (seen.magic != kControlMagic) return false;
  const bool known =
      launch.abi_version == kAbiVersion && launch.struct_bytes == struct_bytes && seen.abi_version == kAbiVersion;
  const bool current = launch.epoch == seen.epoch && launch.term == seen.term;
  if (known && current) return true;
  wait_for_predecessor();
  if (leads() && threadIdx.x == 0) {
    call.retired = load_system_long(&call.live()->retired);
    close(known ? Code::kStale : Code::kBadAbi, -1, 0, false);
  }
  return false;
}

// By a whole warp: the slot of a word that aborts this epoch, or -1.
__device__ __forceinline__ int aborting_slot() {
  int found = -1;
#pragma unroll 1
  for (uint32_t slot = lane(); slot < 2 * call.control.world; slot += 32) {
    if (load_system_word(call.abort_slot(call.control.rank, slot)) >= call.epoch()) {
      found = static_cast<int>(slot);
    }
  }
  const unsigned lanes = __ballot_sync(kAllLanes, found >= 0);
  return lanes == 0 ? -1 : __shfl_sync(kAllLanes, found, __ffs(lanes) - 1);
}

// By a whole warp: notes why the grid fails, unless somebody was first, and tells all ranks if they do not know.
static __device__ __noinline__ void fail(Code code, int named_rank, bool tell) {
  uint32_t before = 0;
  if (lane() == 0) {
    before = atomicCAS(&call.live()->outcome, 0u, pack_outcome(code, named_rank));
    atomicExch(&call.outcome, before == 0 ? pack_outcome(code, named_rank) : before);
  }
  before = __shfl_sync(kAllLanes, before, 0);
  if (tell && before == 0) {
#pragma unroll 1
    for (uint32_t owner = lane(); owner < call.control.world; owner += 32) {
      store_release_system_word(call.abort_slot(owner, call.control.rank), call.epoch());
    }
  }
}

// What the speaker reads first of all, so that it is on its way while others read tensors.
struct Arrival {
  uint4 counters;       // sequence and retired
  uint32_t abort_word;  // of the lane's slot
};

// Waits for the kernel before. What comes earlier in a kernel may overlap with that one, and touches no memory.
__device__ __forceinline__ Arrival arrive() {
  const char* const own_word = call.abort_slot(call.control.rank, lane());
  const bool watches = lane() < 2 * call.control.world;
  const Control* const live = call.live();
  Arrival a;
  wait_for_predecessor();
  // Not earlier: the successor would admit its own successor, and so on until no other rank's kernel finds a place.
  admit_successor();
  if (speaks()) {
    a.counters = load_device(&live->sequence);
    a.abort_word = watches ? load_system_word(own_word) : 0;
  }
  return a;
}

// 2^32 is one more than a multiple of 3.
__device__ __forceinline__ uint32_t stage_of(uint64_t sequence) {
  static_assert(kStages == 3);
  return (static_cast<uint32_t>(sequence) % kStages + static_cast<uint32_t>(sequence >> 32) % kStages) % kStages;
}

// Looks at the abort words before the first push, and takes the call's number and stage, unless the kernel has no call,
// which a fingerprint of 0 says. False for the whole block when the epoch is aborted.
__device__ __forceinline__ bool admit(const Arrival& a, uint64_t fingerprint) {
  if (speaks()) {
    const uint4 counters = a.counters;
    int slot = -1;
    if (call.control.world > 16 || __any_sync(kAllLanes, a.abort_word >= call.epoch())) slot = aborting_slot();
    if (lane() == 0) {
      call.retired = static_cast<uint64_t>(counters.w) << 32 | counters.z;
      call.aborted_by = slot;
      call.fingerprint = fingerprint;
      call.start = now_nanos();
      if (fingerprint != 0 && slot < 0) {
        call.sequence = (static_cast<uint64_t>(counters.y) << 32 | counters.x) + 1;
        call.stage = stage_of(call.sequence);
      }
    }
    if (slot >= 0) fail(Code::kAborted, slot % call.control.world, false);
  }
  __syncthreads();
  return call.aborted_by < 0;
}

// By a whole warp: a rank that has not even started this call, or else the one that is waited for, which may itself be
// waiting for another.
__device__ __forceinline__ int late_rank(int awaited_rank) {
  if (call.sequence == 0) return awaited_rank;
  const char* channels = call.workspace(call.control.rank) + call.control.channels;
#pragma unroll 1
  for (uint32_t first = 0; first < call.control.world; first += 32) {
    const uint32_t rank = first + lane();
    const bool late = rank < call.control.world && rank != call.control.rank &&
                      load_system_long(channels + rank * sizeof(uint64_t)) < call.sequence;
    const unsigned lanes = __ballot_sync(kAllLanes, late);
    if (lanes != 0) return static_cast<int>(first) + __ffs(lanes) - 1;
  }
  return awaited_rank;
}

__device__ __forceinline__ bool headers_differ();

// A look from within a wait, by a whole warp. False when the kernel must leave. The host's word is far, so only the first
// block reads it, one thread at a time, and passes it on.
static __device__ __noinline__ bool look(int awaited_rank) {
  const int slot = aborting_slot();
  if (slot >= 0) {
    fail(Code::kAborted, slot % call.control.world, false);
    return false;
  }
  if (leads()) {
    if (headers_differ()) return false;
    uint32_t word = 0;
    if (lane() == 0 && atomicExch(&call.host_word_reader, 1) == 0) {
      word = load_acquire_system_word(reinterpret_cast<const void*>(call.control.host_abort));
      atomicExch(&call.host_word_reader, 0);
    }
    if (__shfl_sync(kAllLanes, word, 0) >= call.epoch()) {
      fail(Code::kAborted, call.control.rank, true);
      return false;
    }
  }
  if (__any_sync(kAllLanes, now_nanos() - call.start > call.launch.timeout_nanos)) {
    fail(Code::kTimeout, late_rank(awaited_rank), true);
    return false;
  }
  return true;
}

// The first block's speaker waits until all other blocks have left, and keeps reading the host's word meanwhile. The
// others' waits end by themselves, and so does this one.
static __device__ __noinline__ uint32_t await_other_blocks() {
#pragma unroll 1
  for (uint32_t round = 1;; round++) {
    const uint2 seen = load_acquire_device_pair(&call.live()->arrivals);
    if (__all_sync(kAllLanes, seen.x == gridDim.x - 1)) return seen.y;
    if (round % kLookEvery == 0) {
      uint32_t word = 0;
      if (lane() == 0) word = load_acquire_system_word(reinterpret_cast<const void*>(call.control.host_abort));
      if (__shfl_sync(kAllLanes, word, 0) >= call.epoch()) fail(Code::kAborted, call.control.rank, true);
    }
  }
}

// The end of every kernel that has entered, by every block. What a block has written, outputs and cleared slots, is
// released at system scope when it leaves; that also goes before the next call's headers.
static __device__ __noinline__ void leave() {
  __syncthreads();
  if (!speaks()) return;
  const uint64_t nanos = now_nanos() - call.start;
  if (!leads()) {
    if (lane() == 0) add_release_system(&call.live()->arrivals, 1);
    return;
  }
  Control* live = call.live();
  uint32_t outcome = call.outcome;
  if (gridDim.x > 1) {
    fence_system();
    outcome = await_other_blocks();
  }
  if (lane() != 0) return;
  if (gridDim.x > 1) live->arrivals = 0;
  if (outcome != 0) live->outcome = 0;
  if (call.sequence != 0) live->sequence = call.sequence;
  if (outcome == 0) {
    close(Code::kOk, -1, nanos, gridDim.x > 1);
  } else {
    close(static_cast<Code>(outcome >> 16), static_cast<int>(outcome & 0xffff) - 1, nanos, false);
  }
}

}  // namespace tutti
