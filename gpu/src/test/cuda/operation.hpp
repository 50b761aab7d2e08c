// One operation on all ranks: tensors between guards, chunked launches, and the check of every element.
#pragma once

#include <functional>

#include "group.hpp"

struct Shape {
  DType type = DType::kBf16;
  uint64_t tokens = 1;
  uint64_t hidden = 4096;
  int epilogue = 0;  // 0 residual-rmsnorm, 1 gemma, 2 all-reduce
  bool sum = false;  // beside the others
  int algorithm = 0;
  bool in_place = false;
  float eps = 1e-6f;
  unsigned blocks = 0;   // 0: by the table
  unsigned threads = 0;

  bool norm() const { return epilogue != 2; }
  bool wants_sum() const { return sum || !norm(); }
  uint64_t row_bytes() const { return hidden * bytes_of(type); }
};

inline Geometry geometry(const Shape& s, const Device& device, uint64_t tokens, bool programmatic = false) {
  Geometry g;
  const uint64_t vectors = s.hidden / 8;
  const uint64_t wanted = s.norm() ? vectors : 512;
  g.threads = s.threads != 0 ? s.threads : wanted > 1024 ? 1024 : static_cast<unsigned>((wanted + 31) / 32 * 32);
  const uint64_t rows = s.norm() ? tokens : (tokens * vectors + g.threads - 1) / g.threads;
  const uint64_t places = device.multiprocessors / std::max(1, device.ranks);
  if (s.threads == 0 && s.norm() && s.algorithm == 0 && g.threads < 1024 && rows <= places) g.threads += 32;
  // LaunchTable: all blocks of all ranks are on the device at once.
  const uint64_t most = device.ranks > 1 ? std::max(1, device.multiprocessors / device.ranks)
                                         : device.multiprocessors * std::min(16u, 1024 / g.threads);
  g.blocks = s.blocks != 0 ? s.blocks : static_cast<unsigned>(std::min(rows, most));
  g.programmatic = programmatic;
  return g;
}

struct RankTensors {
  Buffer partial, residual, gamma, norm_out, residual_out, sum_out;
  explicit RankTensors(const Shape& s)
      : partial(s.tokens * s.row_bytes()),
        residual(s.tokens * s.row_bytes()),
        gamma(s.row_bytes()),
        norm_out(s.tokens * s.row_bytes()),
        residual_out(s.tokens * s.row_bytes()),
        sum_out(s.tokens * s.row_bytes()) {}
  bool intact() const {
    return partial.intact() && residual.intact() && gamma.intact() && norm_out.intact() && residual_out.intact() &&
           sum_out.intact();
  }
};

struct Operation {
  Group& group;
  Shape shape;
  uint64_t fingerprint;
  std::vector<RankTensors*> tensors;

  Operation(Group& g, const Shape& s) : group(g), shape(s) {
    fingerprint = murmur(murmur(s.tokens) + murmur(s.hidden) * 3 + static_cast<int>(s.type) * 5 + s.epilogue * 7 +
                         s.sum * 11 + s.algorithm * 13 + as_bits(s.eps)) & 0x7fffffff7fffffffull;
    for (const Rank& r : group.ranks) {
      group.enter(r);
      tensors.push_back(new RankTensors(s));
    }
  }
  ~Operation() {
    for (size_t i = 0; i < tensors.size(); i++) {
      group.enter(group.ranks[i]);
      delete tensors[i];
    }
  }

  void upload(const Inputs& in) {
    for (size_t i = 0; i < tensors.size(); i++) {
      group.enter(group.ranks[i]);
      RankTensors& t = *tensors[i];
      CU(cuMemcpyHtoD, t.partial.at(), in.partials[i].bytes.data(), in.partials[i].bytes.size());
      CU(cuMemcpyHtoD, t.residual.at(), in.residual.bytes.data(), in.residual.bytes.size());
      CU(cuMemcpyHtoD, t.gamma.at(), in.gamma.bytes.data(), in.gamma.bytes.size());
      for (const Buffer* out : {&t.norm_out, &t.residual_out, &t.sum_out}) CU(cuMemsetD8, out->at(), 0xEE, out->bytes);
      CU(cuCtxSynchronize);
    }
  }

  // FusedKernels.name.
  std::string kernel(const Geometry& g, uint64_t tokens) const {
    static const char* types[] = {"bf16", "fp16", "fp32"};
    const std::string type = types[static_cast<int>(shape.type)];
    if (shape.algorithm == 1) return "tutti_fused_two_shot_" + type;
    if (shape.norm() && shape.hidden / 8 > g.threads) return "tutti_fused_one_shot_" + type + "_wide";
    const uint64_t rows = shape.norm() ? tokens : (tokens * shape.hidden / 8 + g.threads - 1) / g.threads;
    return "tutti_fused_one_shot_" + type + (group.ranks.size() == 2 ? "_pair" : "") + (rows <= g.blocks ? "_single" : "");
  }

  // All chunks of the operation on one rank.
  void launch(Rank& r, bool programmatic = false) {
    group.enter(r);
    const uint64_t capacity =
        shape.algorithm == 0 ? group.layout.one_shot_bytes : group.layout.slice_bytes * group.ranks.size();
    uint64_t chunk = capacity / shape.row_bytes();
    if (shape.algorithm == 1) {
      const auto fits = [&](uint64_t tokens) {
        const uint64_t vectors = tokens * shape.hidden / 8;
        const uint64_t slice = (vectors + group.ranks.size() - 1) / group.ranks.size();
        return slice * 8 * bytes_of(shape.type) <= group.layout.slice_bytes;
      };
      while (!fits(chunk)) chunk--;
    }
    const RankTensors& t = *tensors[r.number];
    for (uint64_t first = 0; first < shape.tokens; first += chunk) {
      const uint64_t tokens = std::min(chunk, shape.tokens - first);
      const uint64_t at = first * shape.row_bytes();
      tutti::Fused p{};
      p.launch = group.prefix(r, sizeof p);
      p.partial = t.partial.at() + at;
      if (shape.norm()) {
        p.residual = t.residual.at() + at;
        p.gamma = t.gamma.at();
        p.norm_out = t.norm_out.at() + at;
        p.residual_out = (shape.in_place ? t.residual.at() : t.residual_out.at()) + at;
      }
      if (shape.wants_sum()) p.sum_out = t.sum_out.at() + at;
      p.tokens = tokens;
      p.hidden = shape.hidden;
      p.token_offset = first;
      p.dtype = static_cast<uint32_t>(shape.type);
      p.epilogue = shape.epilogue;
      p.eps = shape.eps;
      p.bias = shape.epilogue == 1 ? 1.0f : 0.0f;
      p.fingerprint = fingerprint + first;
      p.flags = (shape.norm() ? tutti::kFlagNorm : 0) | (shape.wants_sum() ? tutti::kFlagSum : 0);
      p.algorithm = shape.algorithm;
      const Geometry g = geometry(shape, *r.device, tokens, programmatic);
      group.launch(r, kernel(g, tokens), g, &p);
    }
  }

  void launch_all(bool programmatic = false) {
    for (Rank& r : group.ranks) launch(r, programmatic);
  }

  std::vector<uint8_t> download(const Buffer& from, size_t bytes) const {
    std::vector<uint8_t> to(bytes);
    CU(cuMemcpyDtoH, to.data(), from.at(), bytes);
    return to;
  }

  // Elements that differ from the reference on any rank, each said once in words.
  uint64_t wrong(const Outputs& expected, std::string& first_words) const {
    uint64_t count = 0;
    for (size_t i = 0; i < tensors.size(); i++) {
      group.enter(group.ranks[i]);
      const RankTensors& t = *tensors[i];
      const auto compare = [&](const char* name, const Buffer& actual, const Tensor& wanted) {
        Tensor got;
        got.type = shape.type;
        got.bytes = download(actual, wanted.bytes.size());
        if (got.bytes == wanted.bytes) return;
        for (uint64_t e = 0; e < shape.tokens * shape.hidden; e++) {
          if (got.get(e) == wanted.get(e)) continue;
          if (count++ == 0) {
            char text[160];
            std::snprintf(text, sizeof text, "rank %zu %s[%llu][%llu] is %08x, not %08x", i, name,
                          static_cast<unsigned long long>(e / shape.hidden),
                          static_cast<unsigned long long>(e % shape.hidden), got.get(e), wanted.get(e));
            first_words = text;
          }
        }
      };
      if (shape.norm()) {
        compare("residual_out", shape.in_place ? t.residual : t.residual_out, expected.residual);
        compare("norm_out", t.norm_out, expected.norm);
      }
      if (shape.wants_sum()) compare("sum_out", t.sum_out, expected.sum);
      if (!t.intact() && count++ == 0) first_words = "a guard beside a tensor was overwritten";
    }
    return count;
  }
};
