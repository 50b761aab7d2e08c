// The canonical arithmetic of docs/numerics.md, for vectors of 8 neighbouring elements. Every fp32 operation is rounded
// once, to nearest; nothing is contracted.
#pragma once

#include <cstdint>

#include "abi.cuh"

namespace tutti {

constexpr unsigned kAllLanes = 0xffffffffu;

// 8 elements of a type as they lie in memory.
template <Type T>
struct Packed {
  static constexpr int kQuads = T == Type::kFp32 ? 2 : 1;
  static constexpr uint32_t kBytes = 16 * kQuads;
  uint4 quad[kQuads];
};

// Senders turn the sentinel into +0.0, which changes no sum.
__device__ __forceinline__ uint32_t without_sentinel(uint32_t word) { return word == kSentinel ? 0u : word; }

__device__ __forceinline__ uint4 without_sentinel(uint4 v) {
  return make_uint4(without_sentinel(v.x), without_sentinel(v.y), without_sentinel(v.z), without_sentinel(v.w));
}

// Whether all words have been written.
__device__ __forceinline__ bool arrived(uint4 v) {
  return v.x != kSentinel && v.y != kSentinel && v.z != kSentinel && v.w != kSentinel;
}

__device__ __forceinline__ void widen_pair(Packed<Type::kBf16>, uint32_t word, float& low, float& high) {
  low = __uint_as_float(word << 16);
  high = __uint_as_float(word & 0xffff0000u);
}

__device__ __forceinline__ void widen_pair(Packed<Type::kFp16>, uint32_t word, float& low, float& high) {
  asm("{\n\t.reg .b16 l, h;\n\tmov.b32 {l, h}, %2;\n\tcvt.f32.f16 %0, l;\n\tcvt.f32.f16 %1, h;\n\t}"
      : "=f"(low), "=f"(high)
      : "r"(word));
}

// A NaN becomes 7fff by the conversion. Adding +0.0 turns -0.0 into +0.0 and changes nothing else.
__device__ __forceinline__ uint32_t round_pair(Packed<Type::kBf16>, float low, float high) {
  uint32_t word;
  asm("{\n\t.reg .b32 t;\n\tcvt.rn.bf16x2.f32 t, %2, %1;\n\tfma.rn.bf16x2 %0, t, %3, %4;\n\t}"
      : "=r"(word)
      : "f"(low), "f"(high), "r"(0x3f803f80u), "r"(0u));
  return word;
}

__device__ __forceinline__ uint32_t round_pair(Packed<Type::kFp16>, float low, float high) {
  uint32_t word;
  asm("{\n\t.reg .b32 t;\n\tcvt.rn.f16x2.f32 t, %2, %1;\n\tadd.rn.f16x2 %0, t, %3;\n\t}"
      : "=r"(word)
      : "f"(low), "f"(high), "r"(0u));
  return word;
}

template <Type T>
__device__ __forceinline__ void widen(const Packed<T>& v, float (&x)[kVectorElements]) {
  if constexpr (T == Type::kFp32) {
    const uint32_t words[] = {v.quad[0].x, v.quad[0].y, v.quad[0].z, v.quad[0].w,
                              v.quad[1].x, v.quad[1].y, v.quad[1].z, v.quad[1].w};
#pragma unroll
    for (int i = 0; i < 8; i++) x[i] = __uint_as_float(words[i]);
  } else {
    widen_pair(Packed<T>(), v.quad[0].x, x[0], x[1]);
    widen_pair(Packed<T>(), v.quad[0].y, x[2], x[3]);
    widen_pair(Packed<T>(), v.quad[0].z, x[4], x[5]);
    widen_pair(Packed<T>(), v.quad[0].w, x[6], x[7]);
  }
}

template <Type T>
__device__ __forceinline__ Packed<T> round(const float (&x)[kVectorElements]) {
  Packed<T> v;
  if constexpr (T == Type::kFp32) {
    uint32_t words[8];
#pragma unroll
    for (int i = 0; i < 8; i++) words[i] = __float_as_uint(__fadd_rn(x[i], 0.0f));
    v.quad[0] = make_uint4(words[0], words[1], words[2], words[3]);
    v.quad[1] = make_uint4(words[4], words[5], words[6], words[7]);
  } else {
    v.quad[0] = make_uint4(round_pair(Packed<T>(), x[0], x[1]), round_pair(Packed<T>(), x[2], x[3]),
                           round_pair(Packed<T>(), x[4], x[5]), round_pair(Packed<T>(), x[6], x[7]));
  }
  return v;
}

template <Type T>
__device__ __forceinline__ void add(float (&acc)[kVectorElements], const Packed<T>& v) {
  float x[kVectorElements];
  widen(v, x);
#pragma unroll
  for (int i = 0; i < 8; i++) acc[i] = __fadd_rn(acc[i], x[i]);
}

// The tree over one vector: its three lowest levels.
__device__ __forceinline__ float sum_of_squares(const float (&x)[kVectorElements]) {
  float q[kVectorElements];
#pragma unroll
  for (int i = 0; i < 8; i++) q[i] = __fmul_rn(x[i], x[i]);
  const float low = __fadd_rn(__fadd_rn(q[0], q[1]), __fadd_rn(q[2], q[3]));
  const float high = __fadd_rn(__fadd_rn(q[4], q[5]), __fadd_rn(q[6], q[7]));
  return __fadd_rn(low, high);
}

// The tree over the lanes of a warp, in every lane. Addition commutes, so all lanes hold the same bits.
__device__ __forceinline__ float sum_of_lanes(float v) {
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    v = __fadd_rn(v, __shfl_xor_sync(kAllLanes, v, distance));
  }
  return v;
}

// 1 / sqrt(ss / hidden + eps), each step rounded. Dividing by a power of two is multiplying by its inverse.
__device__ __forceinline__ float scale_of(float ss, uint32_t hidden, float eps) {
  const float count = static_cast<float>(hidden);
  float mean;
  if ((hidden & (hidden - 1)) == 0) {
    mean = __fmul_rn(ss, __uint_as_float((254u << 23) - __float_as_uint(count)));
  } else {
    mean = __fdiv_rn(ss, count);
  }
  return __frcp_rn(__fsqrt_rn(__fadd_rn(mean, eps)));
}

template <Type T>
__device__ __forceinline__ void weights(const Packed<T>& gamma, float bias, float (&w)[kVectorElements]) {
  widen(gamma, w);
#pragma unroll
  for (int i = 0; i < 8; i++) w[i] = __fadd_rn(w[i], bias);
}

template <Type T>
__device__ __forceinline__ Packed<T> normalise(const float (&x)[kVectorElements], float scale,
                                               const float (&w)[kVectorElements]) {
  float y[kVectorElements];
#pragma unroll
  for (int i = 0; i < 8; i++) y[i] = __fmul_rn(__fmul_rn(x[i], scale), w[i]);
  return round<T>(y);
}

template <Type T>
__device__ __forceinline__ Packed<T> normalise(const float (&x)[kVectorElements], float scale, const Packed<T>& gamma,
                                               float bias) {
  float w[kVectorElements];
  weights(gamma, bias, w);
  return normalise<T>(x, scale, w);
}

// Has the values computed here, and not where they are used: before a wait, not behind it.
__device__ __forceinline__ void settle(float (&x)[kVectorElements]) {
#pragma unroll
  for (int i = 0; i < 8; i++) asm volatile("" : "+f"(x[i]));
}

}  // namespace tutti
