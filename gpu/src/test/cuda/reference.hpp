// docs/numerics.md once more, one element after the other, sharing no code with the kernels.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

enum class DType { kBf16, kFp16, kFp32 };

inline int bytes_of(DType type) { return type == DType::kFp32 ? 4 : 2; }

inline float as_float(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

inline uint32_t as_bits(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return bits;
}

inline float widen_half(uint32_t h) {
  const uint32_t sign = (h & 0x8000) << 16;
  const uint32_t exponent = h >> 10 & 31;
  const uint32_t fraction = h & 1023;
  if (exponent == 31) return as_float(sign | 0x7f800000 | fraction << 13);
  if (exponent == 0) return as_float(sign | as_bits(std::ldexp(static_cast<float>(fraction), -24)));
  return as_float(sign | (exponent + 112) << 23 | fraction << 13);
}

inline float widen(DType type, uint32_t bits) {
  if (type == DType::kFp32) return as_float(bits);
  if (type == DType::kBf16) return as_float(bits << 16);
  return widen_half(bits);
}

inline uint32_t round_half(float v) {
  const uint32_t sign = as_bits(v) >> 16 & 0x8000;
  const double magnitude = std::fabs(static_cast<double>(v));
  if (magnitude >= 65520.0) return sign | 0x7c00;
  int exponent = magnitude == 0 ? -14 : std::ilogb(magnitude);
  if (exponent < -14) exponent = -14;
  const double step = std::ldexp(1.0, exponent - 10);
  const uint32_t count = static_cast<uint32_t>(std::nearbyint(magnitude / step));  // exact: 24 bits over a power of two
  return sign | (static_cast<uint32_t>(exponent + 14) * 1024 + count);
}

inline uint32_t round_to(DType type, float v) {
  if (std::isnan(v)) return type == DType::kFp32 ? 0x7fffffff : 0x7fff;
  uint32_t result;
  if (type == DType::kFp32) {
    result = as_bits(v);
    return result == 0x80000000 ? 0 : result;
  }
  if (type == DType::kBf16) {
    const uint32_t bits = as_bits(v);
    const uint32_t below = bits & 0xffff;
    result = bits >> 16;
    if (below > 0x8000 || (below == 0x8000 && (result & 1) != 0)) result++;
  } else {
    result = round_half(v);
  }
  return result == 0x8000 ? 0 : result;
}

// A dense tensor on the host.
struct Tensor {
  DType type = DType::kBf16;
  std::vector<uint8_t> bytes;

  Tensor() = default;
  Tensor(DType t, size_t elements) : type(t), bytes(elements * bytes_of(t)) {}
  uint32_t get(size_t i) const {
    if (type == DType::kFp32) {
      uint32_t v;
      std::memcpy(&v, &bytes[4 * i], 4);
      return v;
    }
    uint16_t v;
    std::memcpy(&v, &bytes[2 * i], 2);
    return v;
  }
  void set(size_t i, uint32_t bits) {
    if (type == DType::kFp32) {
      std::memcpy(&bytes[4 * i], &bits, 4);
    } else {
      const uint16_t half = static_cast<uint16_t>(bits);
      std::memcpy(&bytes[2 * i], &half, 2);
    }
  }
};

template <class Body>
void for_rows(uint64_t rows, Body body) {
  const unsigned threads = std::max(1u, std::min<unsigned>(std::thread::hardware_concurrency(), rows));
  std::vector<std::thread> pool;
  for (unsigned t = 0; t < threads; t++) {
    pool.emplace_back([=] {
      for (uint64_t row = t; row < rows; row += threads) body(row);
    });
  }
  for (auto& thread : pool) thread.join();
}

struct Inputs {
  std::vector<Tensor> partials;
  Tensor residual;
  Tensor gamma;
};

struct Outputs {
  Tensor sum;
  Tensor residual;
  Tensor norm;
};

// The tree over q[first, first + width), where all beyond count is +0.0.
inline float tree(const std::vector<float>& q, size_t first, size_t width, size_t count) {
  if (first >= count) return 0.0f;
  if (width == 1) return q[first];
  return tree(q, first, width / 2, count) + tree(q, first + width / 2, width / 2, count);
}

inline Outputs reference(const Inputs& in, DType type, uint64_t tokens, uint64_t hidden, bool norm, float eps,
                         float bias) {
  Outputs out;
  out.sum = Tensor(type, tokens * hidden);
  if (norm) {
    out.residual = Tensor(type, tokens * hidden);
    out.norm = Tensor(type, tokens * hidden);
  }
  size_t width = 1;
  while (width < hidden) width *= 2;
  for_rows(tokens, [&](uint64_t row) {
    std::vector<float> x(hidden), q(hidden);
    for (uint64_t i = 0; i < hidden; i++) {
      const size_t at = row * hidden + i;
      float acc = 0.0f;
      for (const Tensor& partial : in.partials) acc = acc + widen(type, partial.get(at));
      out.sum.set(at, round_to(type, acc));
      if (!norm) continue;
      const uint32_t rounded = round_to(type, acc + widen(type, in.residual.get(at)));
      out.residual.set(at, rounded);
      x[i] = widen(type, rounded);
      q[i] = x[i] * x[i];
    }
    if (!norm) return;
    const float mean = tree(q, 0, width, hidden) / static_cast<float>(hidden);
    const float scale = 1.0f / std::sqrt(mean + eps);
    for (uint64_t i = 0; i < hidden; i++) {
      const float w = widen(type, in.gamma.get(i)) + bias;
      out.norm.set(row * hidden + i, round_to(type, (x[i] * scale) * w));
    }
  });
  return out;
}
