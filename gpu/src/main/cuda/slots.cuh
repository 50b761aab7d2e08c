// Lamport slots: pushing a vector into peers' slots, and taking vectors out of one's own, which clears them.
#pragma once

#include "call.cuh"

namespace tutti {

// W is the world size, or 0 where only the control block knows it.
template <int W>
__device__ __forceinline__ uint32_t world_of() {
  return W == 0 ? call.control.world : W;
}

// Where vectors of a region come in, and of a pair also where they go: all but the stage is known before the call's number
// is, so turn() has little left to do.
template <int W>
struct Slots {
  char* in = nullptr;   // source 0's slot, or of a pair the peer's
  char* out = nullptr;  // of a pair, this rank's slot at the peer
  uint64_t slot_bytes = 0;

  __device__ __forceinline__ void turn() {
    const uint64_t ahead = call.stage * (world_of<W>() * slot_bytes);
    in += ahead;
    if constexpr (W == 2) out += ahead;
  }
};

template <int W>
__device__ __forceinline__ Slots<W> slots_of(Region region) {
  const RegionPlace& place = call.control.regions[region];
  const uint32_t rank = call.control.rank;
  Slots<W> s;
  s.slot_bytes = place.slot_bytes;
  s.in = call.workspace(rank) + place.offset;
  if constexpr (W == 2) {
    const uint32_t peer = 1 - rank;
    s.in += peer * place.slot_bytes;
    s.out = call.workspace(peer) + place.offset + rank * place.slot_bytes;
  }
  return s;
}

template <Type T>
__device__ __forceinline__ Packed<T> load_vector(uint64_t at) {
  Packed<T> v;
#pragma unroll
  for (int i = 0; i < Packed<T>::kQuads; i++) v.quad[i] = load_tensor(at + 16 * i);
  return v;
}

template <Type T>
__device__ __forceinline__ void store_vector(uint64_t at, const Packed<T>& v) {
#pragma unroll
  for (int i = 0; i < Packed<T>::kQuads; i++) store_tensor(at + 16 * i, v.quad[i]);
}

template <Type T>
__device__ __forceinline__ Packed<T> zero() {
  Packed<T> v;
#pragma unroll
  for (int i = 0; i < Packed<T>::kQuads; i++) v.quad[i] = make_uint4(0, 0, 0, 0);
  return v;
}

template <Type T>
__device__ __forceinline__ Packed<T> for_push(const Packed<T>& v) {
  Packed<T> clean;
#pragma unroll
  for (int i = 0; i < Packed<T>::kQuads; i++) clean.quad[i] = without_sentinel(v.quad[i]);
  return clean;
}

template <Type T>
__device__ __forceinline__ void push(char* at, const Packed<T>& v) {
#pragma unroll
  for (int i = 0; i < Packed<T>::kQuads; i++) store_system(at + 16 * i, v.quad[i]);
}

template <Type T>
__device__ __forceinline__ bool peek(const char* at, Packed<T>& v) {
  bool here = true;
#pragma unroll
  for (int i = 0; i < Packed<T>::kQuads; i++) {
    v.quad[i] = load_system(at + 16 * i);
    here &= arrived(v.quad[i]);
  }
  return here;
}

template <Type T>
__device__ __forceinline__ void clear(char* at) {
#pragma unroll
  for (int i = 0; i < Packed<T>::kQuads; i++) {
    store_system(at + 16 * i, make_uint4(kSentinel, kSentinel, kSentinel, kSentinel));
  }
}

// Pushes a vector into this rank's slot at every peer, nearest rank first so that not all ranks begin with the same one.
template <Type T, int W>
__device__ __forceinline__ void push_to_peers(const Slots<W>& slots, Region region, uint64_t at, const Packed<T>& v) {
  const uint32_t world = world_of<W>();
  if constexpr (W == 2) {
    push(slots.out + at, v);
  } else {
#pragma unroll 1
    for (uint32_t step = 1; step < world; step++) {
      const uint32_t peer = call.control.rank + step < world ? call.control.rank + step : call.control.rank + step - world;
      push(call.slot(region, peer, call.control.rank) + at, v);
    }
  }
}

// By a whole warp: waits for one vector of a source. Lanes that are not active wait for nothing.
template <Type T>
__device__ __forceinline__ bool take(char* at, uint32_t source, bool active,
                                     Packed<T>& v) {
#pragma unroll 1
  for (uint32_t round = 1;; round++) {
    const bool here = !active || peek(at, v);
    const unsigned missing = __ballot_sync(kAllLanes, !here);
    if (missing == 0) break;
    if (round % kLookEvery == 0 && !look(__shfl_sync(kAllLanes, source, __ffs(missing) - 1))) return false;
  }
  if (active) clear<T>(at);
  return true;
}

// By a whole warp: the sum of all ranks' vectors in rank order, the own one from a register. Several are in flight.
template <Type T, int W>
__device__ __forceinline__ bool take_sum(const Slots<W>& slots, uint64_t at, bool active, const Packed<T>& own, float (&acc)[kVectorElements]) {
  if constexpr (W == 2) {
    // Of two, either may come first. Beginning with +0.0 would only turn a sum of -0.0 into +0.0, which rounding does.
    Packed<T> theirs = zero<T>();
    if (!take(slots.in + at, 1 - call.control.rank, active, theirs)) return false;
    widen(own, acc);
    add(acc, theirs);
    return true;
  } else {
    constexpr int kFlight = 4 / Packed<T>::kQuads;
#pragma unroll
    for (int i = 0; i < 8; i++) acc[i] = 0.0f;
    const uint32_t world = world_of<W>();
    char* const first = slots.in + at;
    const uint64_t slot_bytes = slots.slot_bytes;
#pragma unroll 1
    for (uint32_t base = 0; base < world; base += kFlight) {
      Packed<T> theirs[kFlight];
#pragma unroll 1
      for (uint32_t round = 1;; round++) {
        uint32_t missing_source = world;
#pragma unroll
        for (int i = kFlight - 1; i >= 0; i--) {
          const uint32_t source = base + i;
          if (active && source < world && source != call.control.rank && !peek(first + source * slot_bytes, theirs[i])) {
            missing_source = source;
          }
        }
        const unsigned missing = __ballot_sync(kAllLanes, missing_source != world);
        if (missing == 0) break;
        if (round % kLookEvery == 0 &&
            !look(__shfl_sync(kAllLanes, missing_source, __ffs(missing) - 1))) {
          return false;
        }
      }
#pragma unroll
      for (int i = 0; i < kFlight; i++) {
        const uint32_t source = base + i;
        if (source < world) {
          if (source == call.control.rank) {
            add(acc, own);
          } else if (active) {
            add(acc, theirs[i]);
            clear<T>(first + source * slot_bytes);
          }
        }
      }
    }
    return true;
  }
}

}  // namespace tutti
