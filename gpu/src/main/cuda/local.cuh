// What paths without peer memory compute between their transports: the reduction of parts that have all arrived in this
// rank's memory, and the norm of rounded residuals. The same arithmetic as the fused kernels; they wait for nobody.
#pragma once

#include "rows.cuh"

namespace tutti {

// Adds all ranks' parts in rank order. The own part stays where it is; the others lie at multiples of a stride by rank.
template <Type T>
__device__ __forceinline__ void reduce_local(const Local& p) {
  if (!admit(arrive(), 0)) return;
  const uint64_t vectors = p.tokens * (p.hidden / kVectorElements);
  const uint64_t stride = static_cast<uint64_t>(gridDim.x) * blockDim.x;
#pragma unroll 1
  for (uint64_t i = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < vectors; i += stride) {
    const uint64_t at = i * Packed<T>::kBytes;
    float acc[kVectorElements];
#pragma unroll
    for (int e = 0; e < 8; e++) acc[e] = 0.0f;
#pragma unroll 4
    for (uint32_t rank = 0; rank < call.control.world; rank++) {
      add(acc, load_vector<T>((rank == call.control.rank ? p.own : p.parts + rank * p.part_stride) + at));
    }
    if ((p.flags & kFlagSum) != 0) store_vector(p.sum_out + at, round<T>(acc));
    if ((p.flags & kFlagNorm) != 0) {
      add(acc, load_vector<T>(p.residual + at));
      store_vector(p.residual_out + at, round<T>(acc));
    }
  }
}

// Normalises rows of the rounded residual, which is whole and not written here.
template <Type T>
__device__ __forceinline__ void norm_local(const Local& p) {
  const Rows r = rows_of(p.tokens, p.hidden, kFlagNorm);
  const Norm norm{p.gamma, p.residual_out, p.norm_out, static_cast<uint32_t>(p.hidden), p.eps, p.bias};
  if (!admit(arrive(), 0)) return;
  const uint32_t passes = r.passes();
  uint32_t parity = 0;
#pragma unroll 1
  for (uint64_t row = blockIdx.x; row < r.rows; row += gridDim.x, parity ^= 1) {
    Packed<T> v = zero<T>();
    Packed<T> gamma = zero<T>();
#pragma unroll 1
    for (uint32_t pass = 0; pass < passes; pass++) {
      const uint32_t column = pass * blockDim.x + threadIdx.x;
      v = zero<T>();
      if (column < r.row_vectors) {
        v = load_vector<T>(p.residual_out + (row * r.row_vectors + column) * Packed<T>::kBytes);
        if (passes == 1) gamma = load_vector<T>(p.gamma + column * Packed<T>::kBytes);
      }
      if (passes > 1) note_pass(parity, pass, v);
    }
    if (passes > 1) {
      norm_wide<T>(norm, parity, true, r, row);
    } else {
      norm_narrow(norm, r.row_vectors, parity, true, threadIdx.x < r.row_vectors,
                  (row * r.row_vectors + threadIdx.x) * Packed<T>::kBytes, v, gamma);
    }
  }
}

}  // namespace tutti
