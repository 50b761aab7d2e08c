// Tests of the CUDA kernels without a JVM: harness PTX [--devices N] [--expected CSV] SUITE...
// Suites: correct, expected, faults, patterns, local, quick (a few of each, for compute-sanitizer), time. Exit status 1 when
// anything is wrong, 77 without a driver.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>

#include "faults.hpp"
#include "timing.hpp"

static void correct(std::vector<Device>& devices, bool quick) {
  const std::vector<int> worlds = quick ? std::vector<int>{1, 2, 3} : std::vector<int>{1, 2, 3, 4, 5, 8, 16};
  for (int world : worlds) {
    Group group(devices, world, 8 << 20, 8 << 20);
    const std::vector<uint64_t> hiddens = {8, 64, 384, 2880, 4096, 7168, 8192, 16384, 65536};
    const std::vector<uint64_t> tokens = {1, 2, 7, 64, 300};
    uint64_t seed = 1000 * world;
    SplitMix random{seed};
    if (quick) {
      for (int algorithm : {0, 1}) {
        for (DType type : {DType::kBf16, DType::kFp16, DType::kFp32}) {
          run_one(group, Shape{type, 7, 2880, 0, algorithm == 1, algorithm}, seed++, 1);
          run_one(group, Shape{type, 3, 16384, 1, false, algorithm}, seed++, 0);
          run_one(group, Shape{type, 5, 4096, 2, false, algorithm}, seed++, 2);
        }
      }
    } else {
      for (uint64_t hidden : hiddens) {
        for (uint64_t rows : tokens) {
          if (hidden == 65536 && rows > 7) continue;
          if (hidden * rows * world > 12'000'000) continue;
          // Each size once by each algorithm, with types, epilogues, payloads and geometries dealt at random.
          for (int algorithm : {0, 1}) {
            Shape s{static_cast<DType>(random.below(3)), rows, hidden, static_cast<int>(random.below(3)),
                    random.below(2) == 0, algorithm, random.below(4) == 0};
            if (random.below(3) == 0) s.blocks = 1 + random.below(std::max(1, 120 / world));
            if (random.below(3) == 0) {
              s.threads = 32u << random.below(6);
              while ((hidden / 8 + s.threads - 1) / s.threads > 32) s.threads *= 2;
            }
            run_one(group, s, seed++, static_cast<int>(random.below(4)));
          }
        }
      }
      for (DType type : {DType::kBf16, DType::kFp16, DType::kFp32}) {
        for (int payload = 0; payload < 4; payload++) {
          for (int epilogue = 0; epilogue < 3; epilogue++) {
            run_one(group, Shape{type, 33, 1024, epilogue, true, payload & 1}, seed++, payload);
          }
        }
      }
    }
    // Many calls of different sizes, types and algorithms behind each other, without a pause.
    std::vector<Operation*> queued;
    std::vector<Inputs> inputs;
    for (int i = 0; i < (quick ? 6 : 40); i++) {
      const uint64_t hidden = hiddens[random.below(quick ? 4 : 7)];
      Shape s{static_cast<DType>(random.below(3)), 1 + random.below(50), hidden, static_cast<int>(random.below(3)),
              random.below(2) == 0, static_cast<int>(random.below(2))};
      queued.push_back(new Operation(group, s));
      inputs.push_back(make_inputs(s, world, seed++, static_cast<int>(random.below(3))));
      queued.back()->upload(inputs.back());
    }
    for (int round = 0; round < 3; round++) {
      for (Rank& r : group.ranks) {
        for (Operation* op : queued) op->launch(r);
      }
    }
    group.synchronise();
    expect_all(group, tutti::Code::kOk, "queued calls, world=" + std::to_string(world));
    for (size_t i = 0; i < queued.size(); i++) {
      const Shape& s = queued[i]->shape;
      std::string words;
      const uint64_t wrong =
          queued[i]->wrong(reference(inputs[i], s.type, s.tokens, s.hidden, s.norm(), s.eps, s.epilogue == 1), words);
      expect(wrong == 0, "queued " + describe(s, world) + ": " + std::to_string(wrong) + " elements, first " + words);
      delete queued[i];
    }
    expect(group.guards(), "guards of the workspaces, world=" + std::to_string(world));
  }
}

// The digests that the host driver's tests hold too.
static void expected(std::vector<Device>& devices, const std::string& csv) {
  std::ifstream file(csv);
  std::string line;
  const std::map<std::string, int> types = {{"bf16", 0}, {"fp16", 1}, {"fp32", 2}};
  const std::map<std::string, int> epilogues = {{"residual-rmsnorm", 0}, {"residual-rmsnorm-gemma", 1}, {"all-reduce", 2}};
  int lines = 0;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::stringstream parts(line);
    std::string field[7];
    for (std::string& f : field) std::getline(parts, f, ',');
    const uint64_t seed = std::stoull(field[0]);
    const int world = std::stoi(field[1]);
    for (int algorithm : {0, 1}) {
      Shape s{static_cast<DType>(types.at(field[2])), std::stoull(field[4]), std::stoull(field[5]),
              epilogues.at(field[3]), false, algorithm};
      if (world > 60) continue;
      Group group(devices, world, 4 << 20, 4 << 20);
      Operation op(group, s);
      op.upload(seeded_inputs(seed, world, s.type, s.tokens, s.hidden));
      op.launch_all();
      group.synchronise();
      expect_all(group, tutti::Code::kOk, "expected " + line);
      for (const Rank& r : group.ranks) {
        group.enter(r);
        const RankTensors& t = *op.tensors[r.number];
        const uint64_t bytes = s.tokens * s.row_bytes();
        const auto sum = op.download(t.sum_out, bytes), residual = op.download(t.residual_out, bytes),
                   norm = op.download(t.norm_out, bytes);
        const std::string digest = s.norm() ? sha256({&residual, &norm}) : sha256({&sum});
        expect(digest == field[6], "digest of rank " + std::to_string(r.number) + " is " + digest + " for " + line);
      }
      lines++;
    }
  }
  expect(lines > 0, "no expected outputs in " + csv);
}

static void patterns(std::vector<Device>& devices) {
  for (int world : {1, 2, 5, 40}) {
    Group group(devices, world, 1 << 20, 1 << 20);
    group.zero_workspaces();
    for (Rank& r : group.ranks) {
      group.common(r, "tutti_write_pattern", Geometry{1, 256});
      group.common(r, "tutti_verify_pattern", Geometry{1, 256});
    }
    group.synchronise();
    expect_all(group, tutti::Code::kOk, "patterns, world=" + std::to_string(world));
    if (world > 1) {
      const uint32_t wrong = 12345;
      group.enter(group.ranks[0]);
      CU(cuMemcpyHtoD, group.ranks[0].workspace->at() + group.layout.verify + 128 + 8, &wrong, 4);
      CU(cuCtxSynchronize);
      group.common(group.ranks[0], "tutti_verify_pattern", Geometry{1, 256});
      group.synchronise();
      const Outcome o = group.last(group.ranks[0]);
      expect(o.code == 6 && o.named == 1, "an altered pattern is code " + std::to_string(o.code));
    }
    group.next_epoch();
    run_one(group, Shape{DType::kBf16, 5, 512}, 5, 0);
    expect(group.guards(), "guards after patterns");
  }
}

// The reduction and the norm of paths without peer memory, on one rank that holds all parts.
static void local(std::vector<Device>& devices) {
  static const char* types[] = {"bf16", "fp16", "fp32"};
  for (int world : {1, 3, 8}) {
    Group group(devices, world, 1 << 20, 1 << 20);
    Rank& r = group.ranks[world - 1];
    group.enter(r);
    uint64_t seed = 70 + world;
    for (DType type : {DType::kBf16, DType::kFp16, DType::kFp32}) {
      for (uint64_t hidden : {8, 2880, 4096, 16384}) {
        const Shape s{type, 9, hidden, 1, true};
        const Inputs in = make_inputs(s, world, seed, static_cast<int>(seed % 4));
        seed++;
        Operation op(group, s);
        op.upload(in);
        group.enter(r);
        const uint64_t bytes = s.tokens * s.row_bytes();
        Buffer parts(world * bytes);
        for (int i = 0; i + 1 < world; i++) CU(cuMemcpyHtoD, parts.at() + i * bytes, in.partials[i].bytes.data(), bytes);
        CU(cuCtxSynchronize);
        const RankTensors& t = *op.tensors[r.number];
        tutti::Local p{};
        p.launch = group.prefix(r, sizeof p);
        p.parts = parts.at();
        p.part_stride = bytes;
        p.own = t.partial.at();
        p.residual = t.residual.at();
        p.gamma = t.gamma.at();
        p.norm_out = t.norm_out.at();
        p.residual_out = t.residual_out.at();
        p.sum_out = t.sum_out.at();
        p.tokens = s.tokens;
        p.hidden = hidden;
        p.dtype = static_cast<uint32_t>(type);
        p.flags = tutti::kFlagNorm | tutti::kFlagSum;
        p.eps = s.eps;
        p.bias = 1.0f;
        const std::string name = types[static_cast<int>(type)];
        group.launch(r, "tutti_local_reduce_" + name, Geometry{7, 256}, &p);
        group.launch(r, "tutti_local_norm_" + name, geometry(s, *r.device, s.tokens), &p);
        group.synchronise();
        const Outputs wanted = reference(in, type, s.tokens, hidden, true, s.eps, 1.0f);
        const std::string what = "local " + describe(s, world);
        expect(group.outcome(r, r.launched - 2).code == 1 && group.last(r).code == 1, what + " left in time");
        expect(op.download(t.sum_out, bytes) == wanted.sum.bytes, what + " sum");
        expect(op.download(t.residual_out, bytes) == wanted.residual.bytes, what + " residual");
        expect(op.download(t.norm_out, bytes) == wanted.norm.bytes, what + " norm");
        expect(t.intact() && parts.intact(), what + " guards");
      }
    }
  }
}

int main(int argc, char** argv) {
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  std::string csv;
  int limit = 64;
  std::vector<std::string> suites;
  for (int i = 2; i < argc; i++) {
    const std::string arg = argv[i];
    if (arg == "--devices") {
      limit = std::atoi(argv[++i]);
    } else if (arg == "--expected") {
      csv = argv[++i];
    } else {
      suites.push_back(arg);
    }
  }
  if (argc < 3 || suites.empty()) {
    std::fprintf(stderr, "usage: harness PTX [--devices N] [--expected CSV] SUITE...\n");
    return 2;
  }
  std::ifstream file(argv[1]);
  std::stringstream ptx;
  ptx << file.rdbuf();
  load_calls();
  CU(cuInit, 0);
  const auto start = std::chrono::steady_clock::now();
  std::vector<Device> devices = open_devices(ptx.str(), limit);
  std::printf("loaded on %zu device(s) in %.0f ms\n", devices.size(), micros_since(start) / 1000);
  for (const std::string& suite : suites) {
    const auto begin = std::chrono::steady_clock::now();
    const int before = failures;
    if (suite == "correct") correct(devices, false);
    if (suite == "quick") correct(devices, true);
    if (suite == "expected") expected(devices, csv);
    if (suite == "local") local(devices);
    if (suite == "faults") faults(devices);
    if (suite == "patterns") patterns(devices);
    if (suite == "probe") probe(devices);
    if (suite == "time") timing(devices);
    std::printf("%-10s %s in %.1f s\n", suite.c_str(), failures == before ? "good" : "WRONG", micros_since(begin) / 1e6);
    std::fflush(stdout);
  }
  std::printf("%d checks, %d failures\n", checks, failures);
  return failures == 0 ? 0 : 1;
}
