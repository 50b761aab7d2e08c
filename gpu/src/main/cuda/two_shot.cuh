// Two-shot: every rank reduces one slice of the launch and pushes the rounded slice to every rank, itself included; then
// every rank normalises all rows from the rounded residual. A slice is whole vectors and does not care about rows. Slices
// travel between this rank's own blocks by the same slots as between ranks, so the grid needs no barrier.
#pragma once

#include "headers.cuh"
#include "one_shot.cuh"
#include "rows.cuh"
#include "slots.cuh"

namespace tutti {

struct Slices {
  uint64_t vectors;
  uint64_t each;

  __device__ uint64_t start(uint32_t rank) const { return rank * each < vectors ? rank * each : vectors; }
  __device__ uint64_t length(uint32_t rank) const { return start(rank + 1) - start(rank); }
  __device__ uint32_t owner(uint64_t index) const {
    const bool small = ((index | each) >> 32) == 0;
    return static_cast<uint32_t>(small ? static_cast<uint32_t>(index) / static_cast<uint32_t>(each) : index / each);
  }
};

template <Type T>
__device__ __forceinline__ void scatter(const Fused& p, const Slices& slices) {
  const uint32_t world = call.control.world;
  const uint64_t stride = static_cast<uint64_t>(gridDim.x) * blockDim.x;
#pragma unroll 1
  for (uint32_t step = 1; step < world; step++) {
    const uint32_t owner = call.control.rank + step < world ? call.control.rank + step : call.control.rank + step - world;
    char* const slot = call.slot(kScatter, owner, call.control.rank);
    const uint64_t start = slices.start(owner);
    const uint64_t length = slices.length(owner);
#pragma unroll 1
    for (uint64_t at = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; at < length; at += stride) {
      push(slot + at * Packed<T>::kBytes, for_push(load_vector<T>(p.partial + (start + at) * Packed<T>::kBytes)));
    }
  }
}

// All lanes of a warp take part in every round, also those beyond the slice's end.
template <Type T>
__device__ __forceinline__ bool reduce_own_slice(const Fused& p, const Slices& slices, bool norm) {
  const uint64_t start = slices.start(call.control.rank);
  const uint64_t length = slices.length(call.control.rank);
  const uint64_t stride = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  Slots<0> slots = slots_of<0>(kScatter);
  slots.turn();
  const bool sum = (p.flags & kFlagSum) != 0;
#pragma unroll 1
  for (uint64_t at = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; at - lane() < length; at += stride) {
    const bool active = at < length;
    const uint64_t index = start + at;
    const uint64_t byte = at * Packed<T>::kBytes;
    Packed<T> own = zero<T>();
    Packed<T> residual = zero<T>();
    if (active) {
      own = load_vector<T>(p.partial + index * Packed<T>::kBytes);
      if (norm) residual = load_vector<T>(p.residual + index * Packed<T>::kBytes);
    }
    float acc[kVectorElements];
    if (!take_sum<T, 0>(slots, byte, active, own, acc)) return false;
    if (!active) continue;
    if (sum) {
      const Packed<T> rounded = round<T>(acc);
      push_to_peers<T, 0>(Slots<0>(), kGatherSum, byte, rounded);
      store_vector(p.sum_out + index * Packed<T>::kBytes, rounded);
    }
    if (norm) {
      add(acc, residual);
      const Packed<T> rounded = round<T>(acc);
      push_to_peers<T, 0>(Slots<0>(), kGatherResidual, byte, rounded);
      push(call.slot(kGatherResidual, call.control.rank, call.control.rank) + byte, rounded);
    }
  }
  return true;
}

template <Type T>
__device__ __forceinline__ bool collect_sum(const Fused& p, const Slices& slices) {
  const uint32_t world = call.control.world;
  const uint64_t stride = static_cast<uint64_t>(gridDim.x) * blockDim.x;
#pragma unroll 1
  for (uint32_t step = 1; step < world; step++) {
    const uint32_t owner = call.control.rank + step < world ? call.control.rank + step : call.control.rank + step - world;
    char* const slot = call.slot(kGatherSum, call.control.rank, owner);
    const uint64_t length = slices.length(owner);
#pragma unroll 1
    for (uint64_t at = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; at - lane() < length;
         at += stride) {
      Packed<T> v = zero<T>();
      if (!take(slot + at * Packed<T>::kBytes, owner, at < length, v)) return false;
      if (at < length) store_vector(p.sum_out + (slices.start(owner) + at) * Packed<T>::kBytes, v);
    }
  }
  return true;
}

// One vector of the new residual, from the slice that covers it. Its row is normalised here, so it is stored here.
template <Type T>
__device__ __forceinline__ bool collect(const Fused& p, const Slices& slices, uint64_t index,
                                        bool active, Packed<T>& v) {
  const uint32_t owner = active ? slices.owner(index) : call.control.rank;
  char* const at = call.slot(kGatherResidual, call.control.rank, owner) + (index - slices.start(owner)) * Packed<T>::kBytes;
  if (!take(at, owner, active, v)) return false;
  if (active) store_vector(p.residual_out + index * Packed<T>::kBytes, v);
  return true;
}

template <Type T>
__device__ __forceinline__ bool collect_rows(const Fused& p, const Rows& r,
                                             const Slices& slices, bool ok) {
  const Norm norm = norm_of(p);
  const uint32_t passes = r.passes();
  Packed<T> gamma = zero<T>();
  if (passes == 1 && threadIdx.x < r.row_vectors) gamma = load_vector<T>(p.gamma + threadIdx.x * Packed<T>::kBytes);
  uint32_t parity = 0;
#pragma unroll 1
  for (uint64_t row = blockIdx.x; row < r.rows; row += gridDim.x, parity ^= 1) {
    Packed<T> v = zero<T>();
#pragma unroll 1
    for (uint32_t pass = 0; ok && pass < passes; pass++) {
      const uint32_t column = pass * blockDim.x + threadIdx.x;
      v = zero<T>();
      ok = collect(p, slices, row * r.row_vectors + column, column < r.row_vectors, v);
      if (passes > 1) note_pass(parity, pass, v);
    }
    const bool stays = passes > 1 ? norm_wide<T>(norm, parity, ok, r, row)
                                  : norm_narrow(norm, r.row_vectors, parity, ok, threadIdx.x < r.row_vectors,
                                                (row * r.row_vectors + threadIdx.x) * Packed<T>::kBytes, v, gamma);
    if (!stays) return false;
  }
  return ok;
}

template <Type T>
__device__ __forceinline__ void two_shot(const Fused& p) {
  const Rows r = rows_of(p.tokens, p.hidden, p.flags);
  const uint32_t world = call.control.world;
  const Slices slices{r.vectors, (r.vectors + world - 1) / world};
  if (!admit(arrive(), p.fingerprint)) return;
  const bool speaker = leads() && speaks();
  if (speaker) push_headers();
  scatter<T>(p, slices);
  if (speaker && lane() == 0) write_facts();
  bool ok = reduce_own_slice<T>(p, slices, r.norm);
  if ((p.flags & kFlagSum) != 0) ok = ok && collect_sum<T>(p, slices);
  if (r.norm) ok = collect_rows<T>(p, r, slices, ok);
  if (speaker && ok) match_headers();
}

}  // namespace tutti
