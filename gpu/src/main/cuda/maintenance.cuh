// Arm, and the words that ranks store to each other to prove that their stores arrive.
#pragma once

#include "call.cuh"

namespace tutti {

// Brings this rank's own workspace and counters to the state before the first call: sentinel over the whole capacity,
// everything else zero. Abort words are never cleared.
__device__ inline void arm() {
  const Control& seen = call.control;
  const uint4 sentinels = make_uint4(kSentinel, kSentinel, kSentinel, kSentinel);
  const uint64_t thread = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const uint64_t stride = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  char* const own = call.workspace(call.control.rank);
#pragma unroll 1
  for (uint32_t region = 0; region < kRegions; region++) {
    uint4* const start = reinterpret_cast<uint4*>(own + seen.regions[region].offset);
    const uint64_t quads = kStages * call.control.world * seen.regions[region].slot_bytes / sizeof(uint4);
#pragma unroll 1
    for (uint64_t i = thread; i < quads; i += stride) start[i] = sentinels;
  }
  uint4* const headers = reinterpret_cast<uint4*>(own + seen.headers);
#pragma unroll 1
  for (uint64_t i = thread; i < kStages * call.control.world; i += stride) headers[i] = sentinels;
  uint64_t* const channels = reinterpret_cast<uint64_t*>(own + seen.channels);
#pragma unroll 1
  for (uint64_t i = thread; i < call.control.world; i += stride) channels[i] = 0;
  if (leads() && threadIdx.x == 0) {
    Control* control = call.live();
    control->sequence = 0;
#pragma unroll 1
    for (uint32_t region = 0; region < kRegions; region++) {
#pragma unroll 1
      for (uint32_t stage = 0; stage < kStages; stage++) control->clear_bytes[region][stage] = 0;
    }
  }
}

constexpr uint32_t kPatternWords = kVerifyBytes / sizeof(uint32_t);
constexpr uint32_t kPatternPlaces = 2;

// A word that depends on everything that could be mixed up, and is never 0, which fresh memory holds.
__device__ __forceinline__ uint32_t pattern_word(uint32_t epoch, uint32_t writer, uint32_t reader, uint32_t place,
                                                 uint32_t index) {
  const uint64_t facts = static_cast<uint64_t>(epoch) << 32 | writer << 20 | reader << 10 | place << 8 | index;
  uint64_t mixed = facts * 0x9E3779B97F4A7C15ull + kAbiVersion;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ull;
  return static_cast<uint32_t>(mixed >> 31) | 1u;
}

// The writer's verify line, or the end of its last slot, so that both ends of the mapping are proved.
__device__ __forceinline__ char* pattern_line(uint32_t owner, uint32_t writer, uint32_t place) {
  const Control& seen = call.control;
  if (place == 0) return call.workspace(owner) + seen.verify + writer * kVerifyBytes;
  const RegionPlace& last = seen.regions[kGatherSum];
  const uint64_t slot = static_cast<uint64_t>(kStages - 1) * call.control.world + writer;
  return call.workspace(owner) + last.offset + (slot + 1) * last.slot_bytes - kVerifyBytes;
}

// By one block; each warp stores whole lines.
__device__ inline void write_pattern() {
  fence_system();
#pragma unroll 1
  for (uint32_t line = warp(); line < call.control.world * kPatternPlaces; line += blockDim.x / 32) {
    const uint32_t reader = line / kPatternPlaces;
    const uint32_t place = line % kPatternPlaces;
    char* const at = pattern_line(reader, call.control.rank, place);
    store_system_word(at + lane() * sizeof(uint32_t), pattern_word(call.epoch(), call.control.rank, reader, place, lane()));
  }
}

// By one block: waits for every rank's words in this rank's workspace and compares them.
__device__ inline void verify_pattern() {
#pragma unroll 1
  for (uint32_t line = warp(); line < call.control.world * kPatternPlaces; line += blockDim.x / 32) {
    const uint32_t writer = line / kPatternPlaces;
    const uint32_t place = line % kPatternPlaces;
    char* const at = pattern_line(call.control.rank, writer, place) + lane() * sizeof(uint32_t);
    uint32_t word = 0;
#pragma unroll 1
    for (uint32_t round = 1;; round++) {
      word = load_acquire_system_word(at);
      if (__all_sync(kAllLanes, word != 0)) break;
      if (round % kLookEvery == 0 && !look(static_cast<int>(writer))) return;
    }
    if (__any_sync(kAllLanes, word != pattern_word(call.epoch(), writer, call.control.rank, place, lane()))) {
      fail(Code::kCorrupt, static_cast<int>(writer), true);
      return;
    }
  }
}

}  // namespace tutti
