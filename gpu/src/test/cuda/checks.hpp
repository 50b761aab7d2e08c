// What all suites share: counting what is wrong, naming a case, making its inputs.
#pragma once

#include <chrono>
#include <sstream>

#include "operation.hpp"

inline int failures = 0;
inline int checks = 0;

inline void expect(bool good, const std::string& what) {
  checks++;
  if (good) return;
  if (failures++ < 40) std::printf("WRONG %s\n", what.c_str());
}

inline std::string describe(const Shape& s, int world) {
  static const char* types[] = {"bf16", "fp16", "fp32"};
  std::ostringstream out;
  out << "world=" << world << " " << types[static_cast<int>(s.type)] << " [" << s.tokens << " x " << s.hidden << "]"
      << " epilogue=" << s.epilogue << (s.sum ? "+sum" : "") << (s.algorithm == 0 ? " one-shot" : " two-shot")
      << (s.in_place ? " in-place" : "") << " blocks=" << s.blocks << " threads=" << s.threads;
  return out.str();
}

inline Inputs make_inputs(const Shape& s, int world, uint64_t seed, int payload) {
  Inputs in = seeded_inputs(seed, world, s.type, s.tokens, s.hidden);
  SplitMix random{seed + 99};
  if (payload == 1) {
    for (Tensor& partial : in.partials) hurt(partial, random, 1);
    hurt(in.residual, random, 1);
  } else if (payload == 2) {
    for (Tensor& partial : in.partials) hurt(partial, random, 60);
    hurt(in.residual, random, 60);
    hurt(in.gamma, random, 30);
  } else if (payload == 3) {
    for (Tensor& partial : in.partials) shrink(partial, random);
    shrink(in.residual, random);
  }
  return in;
}

inline void expect_all(Group& group, tutti::Code code, const std::string& what) {
  for (const Rank& r : group.ranks) {
    const Outcome o = group.last(r);
    expect(o.code == static_cast<uint32_t>(code),
           what + ": rank " + std::to_string(r.number) + " left with code " + std::to_string(o.code) + " naming " +
               std::to_string(o.named));
  }
}

inline bool failed_hard(const Group& group) {
  for (const Rank& r : group.ranks) {
    if (group.last(r).code != 1) return true;
  }
  return false;
}

inline double micros_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}
