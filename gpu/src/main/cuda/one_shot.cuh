// One-shot: every rank pushes its whole partial to every peer and adds all of them itself, in rank order. A row is pushed
// before the one ahead of it is awaited.
#pragma once

#include "headers.cuh"
#include "rows.cuh"
#include "slots.cuh"

namespace tutti {

__device__ __forceinline__ Norm norm_of(const Fused& p) {
  return Norm{p.gamma, p.residual_out, p.norm_out, static_cast<uint32_t>(p.hidden), p.eps, p.bias};
}

// Rows of at most one vector for each thread. Offsets are in bytes, equal in tensors and slots, and short: a launch's
// tensor is at most kMaxLaunchBytes.
template <Type T, int W>
__device__ __forceinline__ void one_shot_narrow(const Fused& p) {
  const Rows r = rows_of(p.tokens, p.hidden, p.flags);
  const bool in_row = threadIdx.x < r.row_vectors;
  const uint32_t column = threadIdx.x * Packed<T>::kBytes;
  const uint32_t end = static_cast<uint32_t>(r.vectors) * Packed<T>::kBytes;
  const uint32_t row_bytes = r.row_vectors * Packed<T>::kBytes;
  const uint32_t stride = gridDim.x * row_bytes;
  uint32_t at = blockIdx.x * row_bytes + column;
  bool active = in_row && at < end;
  Slots<W> slots = slots_of<W>(kOneShot);
  const Arrival arrival = arrive();
  Packed<T> own = zero<T>();
  if (active) own = load_vector<T>(p.partial + at);
  if (!admit(arrival, p.fingerprint)) return;
  slots.turn();
  const bool speaker = leads() && speaks();
  if (speaker) push_headers();
  if (active) push_to_peers<T, W>(slots, kOneShot, at, for_push(own));
  if (speaker && lane() == 0) write_facts();
  Packed<T> gamma = zero<T>();
  if (r.norm && in_row) gamma = load_vector<T>(p.gamma + column);
  Packed<T> next = zero<T>();
  bool more = in_row && at + stride < end;
  if (more) next = load_vector<T>(p.partial + at + stride);
  bool ok = true;
  bool matched = !speaker;
  if (speaker && warp() * 32 >= r.row_vectors) {
    matched = true;
    ok = match_headers();
  }
#pragma unroll 1
  for (uint32_t parity = 0; at - column < end; at += stride, parity ^= 1) {
    if (more) push_to_peers<T, W>(slots, kOneShot, at + stride, for_push(next));
    Packed<T> residual = zero<T>();
    if (r.norm && active) residual = load_vector<T>(p.residual + at);
    float acc[kVectorElements];
    ok = ok && take_sum<T, W>(slots, at, active, own, acc);
    if (!matched) {
      matched = true;
      ok = ok && match_headers();
    }
    // What follows needs none of what was awaited with, so this is where the next loads fit into the registers.
    const bool here = active;
    own = next;
    active = more;
    more = in_row && at + 2 * stride < end;
    if (more) next = load_vector<T>(p.partial + at + 2 * stride);
    if (ok && here && (p.flags & kFlagSum) != 0) store_vector(p.sum_out + at, round<T>(acc));
    if (r.norm) {
      add(acc, residual);
      const Packed<T> rounded = round<T>(acc);
      if (ok && here) store_vector(p.residual_out + at, rounded);
      if (!norm_narrow(norm_of(p), r.row_vectors, parity, ok, here, at, rounded, gamma)) return;
    } else if (!ok) {
      return;
    }
  }
}

// The same where every block has one row at most: nothing is pushed ahead, and everything that needs no peer is computed
// before the wait, so that little is left to do behind it.
template <Type T, int W>
__device__ __forceinline__ void one_shot_single(const Fused& p) {
  const Rows r = rows_of(p.tokens, p.hidden, p.flags);
  const bool in_row = threadIdx.x < r.row_vectors;
  const uint32_t column = threadIdx.x * Packed<T>::kBytes;
  const uint32_t at = blockIdx.x * (r.row_vectors * Packed<T>::kBytes) + column;
  const bool active = in_row && at < static_cast<uint32_t>(r.vectors) * Packed<T>::kBytes;
  Slots<W> slots = slots_of<W>(kOneShot);
  const Arrival arrival = arrive();
  Packed<T> own = zero<T>();
  Packed<T> residual = zero<T>();
  Packed<T> gamma = zero<T>();
  if (active) own = load_vector<T>(p.partial + at);
  if (active && r.norm) {
    residual = load_vector<T>(p.residual + at);
    gamma = load_vector<T>(p.gamma + column);
  }
  if (!admit(arrival, p.fingerprint)) return;
  slots.turn();
  const bool speaker = leads() && speaks();
  if (speaker) push_headers();
  if (active) push_to_peers<T, W>(slots, kOneShot, at, for_push(own));
  if (speaker && lane() == 0) write_facts();
  float w[kVectorElements];
  float addend[kVectorElements];
  weights(gamma, p.bias, w);
  widen(residual, addend);
  settle(w);
  settle(addend);
  const bool idle = warp() * 32 >= r.row_vectors;
  bool ok = !(speaker && idle) || match_headers();
  float acc[kVectorElements];
  ok = ok && take_sum<T, W>(slots, at, active, own, acc);
  if (speaker && !idle) ok = ok && match_headers();
  if (ok && active && (p.flags & kFlagSum) != 0) store_vector(p.sum_out + at, round<T>(acc));
  if (!r.norm) return;
#pragma unroll
  for (int i = 0; i < 8; i++) acc[i] = __fadd_rn(acc[i], addend[i]);
  const Packed<T> rounded = round<T>(acc);
  if (ok && active) store_vector(p.residual_out + at, rounded);
  float x[kVectorElements];
  widen(rounded, x);
  float ss;
  if (!narrow_sum(r.row_vectors, 0, ok, sum_of_squares(x), ss)) return;
  const float scale = scale_of(ss, static_cast<uint32_t>(p.hidden), p.eps);
  if (active) store_vector(p.norm_out + at, normalise<T>(x, scale, w));
}

template <Type T>
__device__ __forceinline__ void push_wide(const Fused& p, const Rows& r, uint64_t row) {
  if (row >= r.rows) return;
#pragma unroll 1
  for (uint32_t column = threadIdx.x; column < r.row_vectors; column += blockDim.x) {
    const uint64_t index = row * r.row_vectors + column;
    push_to_peers<T, 0>(Slots<0>(), kOneShot, index * Packed<T>::kBytes, for_push(load_vector<T>(p.partial + index * Packed<T>::kBytes)));
  }
}

template <Type T>
__device__ __forceinline__ void one_shot_wide(const Fused& p) {
  const Rows r = rows_of(p.tokens, p.hidden, p.flags);
  const Norm norm = norm_of(p);
  if (!admit(arrive(), p.fingerprint)) return;
  bool ok = true;
  const bool speaker = leads() && speaks();
  if (speaker) push_headers();
  push_wide<T>(p, r, blockIdx.x);
  if (speaker && lane() == 0) write_facts();
  Slots<0> slots = slots_of<0>(kOneShot);
  slots.turn();
  uint32_t parity = 0;
#pragma unroll 1
  for (uint64_t row = blockIdx.x; row < r.rows; row += gridDim.x, parity ^= 1) {
    push_wide<T>(p, r, row + gridDim.x);
#pragma unroll 1
    for (uint32_t pass = 0; ok && pass < r.passes(); pass++) {
      const uint32_t column = pass * blockDim.x + threadIdx.x;
      const uint64_t index = row * r.row_vectors + column;
      const bool active = column < r.row_vectors;
      Packed<T> own = zero<T>();
      Packed<T> residual = zero<T>();
      if (active) {
        own = load_vector<T>(p.partial + index * Packed<T>::kBytes);
        residual = load_vector<T>(p.residual + index * Packed<T>::kBytes);
      }
      float acc[kVectorElements];
      ok = take_sum<T, 0>(slots, index * Packed<T>::kBytes, active, own, acc);
      if (ok && active && (p.flags & kFlagSum) != 0) store_vector(p.sum_out + index * Packed<T>::kBytes, round<T>(acc));
      add(acc, residual);
      const Packed<T> rounded = round<T>(acc);
      if (ok && active) store_vector(p.residual_out + index * Packed<T>::kBytes, rounded);
      note_pass(parity, pass, rounded);
    }
    if (!norm_wide<T>(norm, parity, ok, r, row)) return;
  }
  if (speaker) match_headers();
}

}  // namespace tutti
