// The 16 bytes that every rank sends every peer with every call: epoch, sequence (31 bits), fingerprint. They are Lamport
// data like the tensors. The kernel before has ended with a fence behind all of its clears, and only then do headers go
// out: that is what makes the stage of the call after this one safe to write. Headers are awaited last: data comes with
// them, and a wait for data that never comes looks at them. By the first block's
// speaker.
#pragma once

#include "call.cuh"

namespace tutti {

__device__ __forceinline__ char* header_at(uint32_t owner, uint32_t source) {
  return call.workspace(owner) + call.control.headers + (call.stage * call.control.world + source) * kHeaderBytes;
}

__device__ __forceinline__ uint4 own_header() {
  return make_uint4(call.epoch(), static_cast<uint32_t>(call.sequence) & 0x7fffffffu,
                    static_cast<uint32_t>(call.fingerprint), static_cast<uint32_t>(call.fingerprint >> 32));
}

// The source that the lane awaits in the group of peers from first on.
__device__ __forceinline__ bool expects_header(uint32_t first) {
  const uint32_t source = first + lane();
  return source < call.control.world && source != call.control.rank;
}

__device__ __forceinline__ void push_headers() {
#pragma unroll 1
  for (uint32_t peer = lane(); peer < call.control.world; peer += 32) {
    if (peer != call.control.rank) store_system(header_at(peer, call.control.rank), own_header());
    store_system_long(call.workspace(peer) + call.control.channels + call.control.rank * sizeof(uint64_t),
                      call.sequence);
  }
}

// Fails when a header that has arrived is of another call.
__device__ __forceinline__ bool differs(uint32_t first, bool here, uint4 theirs) {
  const uint4 own = own_header();
  const unsigned lanes = __ballot_sync(kAllLanes, here && (theirs.x != own.x || theirs.y != own.y ||
                                                           theirs.z != own.z || theirs.w != own.w));
  if (lanes != 0) fail(Code::kMismatch, static_cast<int>(first) + __ffs(lanes) - 1, true);
  return lanes != 0;
}

__device__ __forceinline__ bool headers_differ() {
  if (call.fingerprint == 0) return false;
#pragma unroll 1
  for (uint32_t first = 0; first < call.control.world; first += 32) {
    const bool expects = expects_header(first);
    const uint4 theirs = expects ? load_system(header_at(call.control.rank, first + lane())) : own_header();
    if (differs(first, expects && arrived(theirs), theirs)) return true;
  }
  return false;
}

// Waits for every peer's header, compares it with this call and clears it. False when the kernel must leave.
static __device__ __noinline__ bool match_headers() {
#pragma unroll 1
  for (uint32_t first = 0; first < call.control.world; first += 32) {
    const bool expects = expects_header(first);
    char* const at = header_at(call.control.rank, first + lane());
#pragma unroll 1
    for (uint32_t round = 1;; round++) {
      const uint4 theirs = expects ? load_system(at) : own_header();
      const bool here = !expects || arrived(theirs);
      if (differs(first, expects && here, theirs)) return false;
      const unsigned missing = __ballot_sync(kAllLanes, !here);
      if (missing == 0) break;
      if (round % kLookEvery == 0 && !look(static_cast<int>(first) + __ffs(missing) - 1)) return false;
    }
    if (expects) store_system(at, make_uint4(kSentinel, kSentinel, kSentinel, kSentinel));
  }
  return true;
}

}  // namespace tutti
