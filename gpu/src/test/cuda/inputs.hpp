// Inputs: those of io.tutti.gpu.reference.SeededInputs, and payloads meant to hurt. And the digest of outputs.
#pragma once

#include <string>

#include "reference.hpp"

// java.util.SplittableRandom.
struct SplitMix {
  uint64_t state;
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }
  uint64_t below(uint64_t bound) { return next() % bound; }
};

inline uint64_t murmur(uint64_t value) {
  uint64_t h = value + 0x9E3779B97F4A7C15ull;
  h = (h ^ h >> 33) * 0xff51afd7ed558ccdull;
  h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53ull;
  return h ^ h >> 33;
}

inline void seeded_row(Tensor& target, uint64_t seed, uint64_t tensor, uint64_t row, uint64_t hidden, float scale,
                       float center, bool loud) {
  SplitMix random{murmur(murmur(murmur(seed) + tensor) + row)};
  for (uint64_t i = 0; i < hidden; i++) {
    const uint64_t bits = random.next();
    const int sum = static_cast<int>(bits & 0xffff) + static_cast<int>(bits >> 16 & 0xffff) +
                    static_cast<int>(bits >> 32 & 0xffff) + static_cast<int>(bits >> 48);
    float value = static_cast<float>(sum - 131070) * 0x1p-16f * scale;
    if (loud && i % 64 == 37) value *= 6.0f;
    target.set(row * hidden + i, round_to(target.type, value + center));
  }
}

inline Inputs seeded_inputs(uint64_t seed, int world, DType type, uint64_t tokens, uint64_t hidden) {
  Inputs in;
  const float scale = 2.0f / static_cast<float>(std::sqrt(static_cast<double>(world)));
  for (int rank = 0; rank < world; rank++) {
    in.partials.emplace_back(type, tokens * hidden);
    Tensor& partial = in.partials.back();
    for_rows(tokens, [&](uint64_t row) { seeded_row(partial, seed, rank, row, hidden, scale, 0.0f, true); });
  }
  in.residual = Tensor(type, tokens * hidden);
  for_rows(tokens, [&](uint64_t row) { seeded_row(in.residual, seed, 1ull << 32, row, hidden, 2.0f, 0.0f, true); });
  in.gamma = Tensor(type, hidden);
  seeded_row(in.gamma, seed, 1ull << 33, 0, hidden, 0.25f, 1.0f, false);
  return in;
}

// Negative zeros, whole sentinels, subnormals, infinities, NaNs with payloads, the largest values, among ordinary ones.
inline void hurt(Tensor& tensor, SplitMix& random, int percent) {
  static const uint32_t halves[] = {0x8000, 0x0000, 0x0001, 0x8001, 0x007f, 0x03ff, 0x0400, 0x7f80, 0xff80, 0x7c00,
                                    0xfc00, 0x7fc1, 0xffff, 0x7f81, 0x7f7f, 0xff7f, 0x7bff, 0xfbff, 0x0080};
  static const uint32_t words[] = {0x80000000, 0x00000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f800000,
                                   0xff800000, 0x7fc00001, 0xffffffff, 0x7f800001, 0x7f7fffff, 0xff7fffff};
  const size_t elements = tensor.bytes.size() / bytes_of(tensor.type);
  for (size_t i = 0; i < elements; i++) {
    if (random.below(100) >= static_cast<uint64_t>(percent)) continue;
    if (tensor.type == DType::kFp32) {
      tensor.set(i, words[random.below(sizeof words / 4)]);
    } else if (i % 2 == 0 && random.below(4) == 0) {
      tensor.set(i, 0);
      tensor.set(i + 1, 0x8000);  // the sentinel as a pair
      i++;
    } else {
      tensor.set(i, halves[random.below(sizeof halves / 4)]);
    }
  }
}

// Only zeros of both signs and subnormals, so that rows without infinities meet the small end.
inline void shrink(Tensor& tensor, SplitMix& random) {
  const size_t elements = tensor.bytes.size() / bytes_of(tensor.type);
  for (size_t i = 0; i < elements; i++) {
    const uint32_t sign = random.below(2) != 0 ? (tensor.type == DType::kFp32 ? 0x80000000u : 0x8000u) : 0;
    tensor.set(i, sign | static_cast<uint32_t>(random.below(40)));
  }
}

inline std::string sha256(const std::vector<const std::vector<uint8_t>*>& parts) {
  static const uint32_t k[] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
      0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
      0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
      0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
      0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
      0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
      0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
      0xc67178f2};
  uint32_t h[] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::vector<uint8_t> text;
  for (const auto* part : parts) text.insert(text.end(), part->begin(), part->end());
  const uint64_t bits = text.size() * 8;
  text.push_back(0x80);
  while (text.size() % 64 != 56) text.push_back(0);
  for (int i = 7; i >= 0; i--) text.push_back(static_cast<uint8_t>(bits >> (8 * i)));
  const auto turn = [](uint32_t x, int n) { return x >> n | x << (32 - n); };
  for (size_t at = 0; at < text.size(); at += 64) {
    uint32_t w[64];
    for (int i = 0; i < 16; i++) {
      w[i] = text[at + 4 * i] << 24 | text[at + 4 * i + 1] << 16 | text[at + 4 * i + 2] << 8 | text[at + 4 * i + 3];
    }
    for (int i = 16; i < 64; i++) {
      const uint32_t s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3;
      const uint32_t s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t v[8];
    std::memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++) {
      const uint32_t s1 = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25);
      const uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
      const uint32_t s0 = turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22);
      const uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
      for (int j = 7; j > 0; j--) v[j] = v[j - 1];
      v[4] += t1;
      v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
  }
  char hex[65];
  for (int i = 0; i < 8; i++) std::snprintf(hex + 8 * i, 9, "%08x", h[i]);
  return hex;
}
