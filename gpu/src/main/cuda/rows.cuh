// Normalising rows. A row's vectors are dealt to a block's threads in index order, so that warps own aligned subtrees of
// the sum of squares: narrow rows have at most one vector for each thread; wide ones take several passes, each an aligned
// subtree too, since their block has a power of two of threads.
#pragma once

#include "call.cuh"
#include "slots.cuh"

namespace tutti {

// How a launch's vectors are dealt. Without a norm they are one flat run, cut into rows as long as a block.
struct Rows {
  uint64_t vectors;
  uint64_t rows;
  uint32_t row_vectors;
  bool norm;

  __device__ uint32_t passes() const { return (row_vectors + blockDim.x - 1) / blockDim.x; }
};

__device__ __forceinline__ Rows rows_of(uint64_t tokens, uint64_t hidden, uint32_t flags) {
  Rows r;
  const uint32_t token_vectors = static_cast<uint32_t>(hidden / kVectorElements);
  r.norm = (flags & kFlagNorm) != 0;
  r.vectors = tokens * token_vectors;
  r.row_vectors = r.norm ? token_vectors : blockDim.x;
  r.rows = tokens;
  if (!r.norm) r.rows = (r.vectors + blockDim.x - 1) / blockDim.x;
  return r;
}

struct Norm {
  uint64_t gamma;
  uint64_t residual_out;
  uint64_t norm_out;
  uint32_t hidden;
  float eps;
  float bias;
};

// The sum over a narrow row, in every thread. False for the whole block when any warp has failed. Rows alternate between
// the two sets of sums, so one barrier is enough.
__device__ __forceinline__ bool narrow_sum(uint32_t row_vectors, uint32_t parity, bool ok, float vector,
                                           float& ss) {
  float (&sums)[kWarps] = call.sums[parity][0];
  ss = sum_of_lanes(vector);
  if (blockDim.x == 32) return ok;
  const uint32_t warps = (row_vectors + 31) / 32;
  if (lane() == 0) sums[warp()] = ss;
  if (__syncthreads_or(!ok)) return false;
  const uint32_t leaves = warps == 1 ? 1 : 1u << (32 - __clz(warps - 1));
  const uint32_t leaf = lane() & (leaves - 1);
  ss = leaf < warps ? sums[leaf] : 0.0f;
#pragma unroll 1
  for (uint32_t distance = 1; distance < leaves; distance *= 2) {
    ss = __fadd_rn(ss, __shfl_xor_sync(kAllLanes, ss, distance));
  }
  return true;
}

// Ends a narrow row whose rounded residual each thread holds.
template <Type T>
__device__ __forceinline__ bool norm_narrow(const Norm& norm, uint32_t row_vectors, uint32_t parity, bool ok, bool active,
                                            uint64_t at, const Packed<T>& residual, const Packed<T>& gamma) {
  float x[kVectorElements];
  widen(residual, x);
  float ss;
  if (!narrow_sum(row_vectors, parity, ok, sum_of_squares(x), ss)) return false;
  if (active) {
    store_vector(norm.norm_out + at, normalise(x, scale_of(ss, norm.hidden, norm.eps), gamma, norm.bias));
  }
  return true;
}

// Notes what one pass over a wide row adds to the sum.
template <Type T>
__device__ __forceinline__ void note_pass(uint32_t parity, uint32_t pass, const Packed<T>& residual) {
  float x[kVectorElements];
  widen(residual, x);
  const float sum = sum_of_lanes(sum_of_squares(x));
  if (lane() == 0) call.sums[parity][pass][warp()] = sum;
}

// Ends a wide row whose rounded residual each thread has stored, and all of whose passes are noted.
template <Type T>
__device__ inline bool norm_wide(const Norm& norm, uint32_t parity, bool ok, const Rows& r,
                                 uint64_t row) {
  if (__syncthreads_or(!ok)) return false;
  const uint32_t passes = r.passes();
  float mine = 0.0f;
#pragma unroll 1
  for (uint32_t pass = 0; pass < passes; pass++) {
    const float sum = sum_of_lanes(lane() < blockDim.x / 32 ? call.sums[parity][pass][lane()] : 0.0f);
    if (lane() == pass) mine = sum;
  }
  const float scale = scale_of(sum_of_lanes(mine), norm.hidden, norm.eps);
#pragma unroll 1
  for (uint32_t pass = 0; pass < passes; pass++) {
    const uint32_t column = pass * blockDim.x + threadIdx.x;
    if (column < r.row_vectors) {
      const uint64_t at = (row * r.row_vectors + column) * Packed<T>::kBytes;
      float x[kVectorElements];
      widen(load_vector<T>(norm.residual_out + at), x);
      const Packed<T> gamma = load_vector<T>(norm.gamma + column * Packed<T>::kBytes);
      store_vector(norm.norm_out + at, normalise(x, scale, gamma, norm.bias));
    }
  }
  return true;
}

}  // namespace tutti
