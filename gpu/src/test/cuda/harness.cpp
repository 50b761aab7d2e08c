// Tests of the CUDA kernels without a JVM: harness PTX [--devices N] [--expected CSV] SUITE...
// Suites: correct, expected, faults, patterns, local, quick (a few of each, for compute-sanitizer), time. Exit status 1 when
// anything is wrong, 77 without a driver.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>

#include "operation.hpp"

static int failures = 0;
static int checks = 0;

static void expect(bool good, const std::string& what) {
  checks++;
  if (good) return;
  if (failures++ < 40) std::printf("WRONG %s\n", what.c_str());
}

static std::string describe(const Shape& s, int world) {
  static const char* types[] = {"bf16", "fp16", "fp32"};
  std::ostringstream out;
  out << "world=" << world << " " << types[static_cast<int>(s.type)] << " [" << s.tokens << " x " << s.hidden << "]"
      << " epilogue=" << s.epilogue << (s.sum ? "+sum" : "") << (s.algorithm == 0 ? " one-shot" : " two-shot")
      << (s.in_place ? " in-place" : "") << " blocks=" << s.blocks << " threads=" << s.threads;
  return out.str();
}

static Inputs make_inputs(const Shape& s, int world, uint64_t seed, int payload) {
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

static void expect_all(Group& group, tutti::Code code, const std::string& what) {
  for (const Rank& r : group.ranks) {
    const Outcome o = group.last(r);
    expect(o.code == static_cast<uint32_t>(code),
           what + ": rank " + std::to_string(r.number) + " left with code " + std::to_string(o.code) + " naming " +
               std::to_string(o.named));
  }
}

static bool failed_hard(const Group& group) {
  for (const Rank& r : group.ranks) {
    if (group.last(r).code != 1) return true;
  }
  return false;
}

static void run_one(Group& group, const Shape& s, uint64_t seed, int payload) {
  const int world = static_cast<int>(group.ranks.size());
  const std::string name = describe(s, world) + " seed=" + std::to_string(seed) + " payload=" + std::to_string(payload);
  Operation op(group, s);
  const Inputs in = make_inputs(s, world, seed, payload);
  op.upload(in);
  op.launch_all();
  group.synchronise();
  expect_all(group, tutti::Code::kOk, name);
  if (failed_hard(group)) {
    group.next_epoch();
    return;
  }
  std::string words;
  const uint64_t wrong =
      op.wrong(reference(in, s.type, s.tokens, s.hidden, s.norm(), s.eps, s.epilogue == 1 ? 1.0f : 0.0f), words);
  expect(wrong == 0, name + ": " + std::to_string(wrong) + " elements, first " + words);
}

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

static double micros_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

static void expect_outcome(Group& group, int rank, uint64_t number, uint32_t code, int named, const std::string& what) {
  const Outcome o = group.outcome(group.ranks[rank], number);
  expect(o.code == code && (named == -3 || o.named == named),
         what + ": rank " + std::to_string(rank) + " code=" + std::to_string(o.code) + " named=" + std::to_string(o.named));
}

static void faults(std::vector<Device>& devices) {
  Group group(devices, 3, 4 << 20, 4 << 20);
  for (int algorithm : {0, 1}) {
    const Shape s{DType::kBf16, 40, 4096, 0, false, algorithm};
    // One rank never comes: the others name it, and whatever was queued behind leaves at once.
    group.timeout = 50'000'000;
    {
      Operation op(group, s);
      op.upload(make_inputs(s, 3, 1, 0));
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < 20; i++) {
        op.launch(group.ranks[0]);
        op.launch(group.ranks[2]);
      }
      group.synchronise();
      const double micros = micros_since(start);
      expect(micros < 90'000, "20 queued calls took " + std::to_string(micros) + " us after one timeout of 50 ms");
      bool named = false;
      for (int rank : {0, 2}) {
        const Outcome o = group.outcome(group.ranks[rank], group.ranks[rank].launched - 20);
        named |= o.code == 4 && o.named == 1;
        expect(o.code == 3 || (o.code == 4 && o.named == 1), "a missing rank gives code " + std::to_string(o.code));
        expect_outcome(group, rank, group.ranks[rank].launched - 1, 3, -3, "queued behind a timeout");
      }
      expect(named, "nobody named the missing rank");
      op.launch(group.ranks[1]);
      group.synchronise();
      expect_outcome(group, 1, group.ranks[1].launched - 1, 3, -3, "the late rank");
    }
    group.timeout = 10'000'000'000ull;
    group.next_epoch();
    run_one(group, s, 2, 0);

    // The host's word ends a rank that waits, and it tells the others.
    {
      Operation op(group, s);
      op.upload(make_inputs(s, 3, 1, 0));
      op.launch(group.ranks[0]);
      op.launch(group.ranks[1]);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      group.enter(group.ranks[0]);
      expect(calls.cuStreamQuery_(group.ranks[0].stream) == CUDA_ERROR_NOT_READY, "a lonely call waits");
      const auto start = std::chrono::steady_clock::now();
      __atomic_store_n(group.ranks[0].abort_word, static_cast<uint32_t>(group.epoch), __ATOMIC_RELEASE);
      CU(cuStreamSynchronize, group.ranks[0].stream);
      const double micros = micros_since(start);
      std::printf("  host word ended a call of 3 ranks after %.0f us\n", micros);
      group.synchronise();
      expect_outcome(group, 0, group.ranks[0].launched - 1, 3, 0, "host word");
      expect_outcome(group, 1, group.ranks[1].launched - 1, 3, 0, "relayed host word");
      op.launch(group.ranks[2]);
      group.synchronise();
      expect_outcome(group, 2, group.ranks[2].launched - 1, 3, 0, "relayed host word, later");
    }
    group.next_epoch();
    run_one(group, s, 3, 0);

    // A control thread's word in a pad.
    {
      Operation op(group, s);
      op.upload(make_inputs(s, 3, 1, 0));
      op.launch(group.ranks[1]);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      Rank& r = group.ranks[1];
      CU(cuMemsetD32Async, r.workspace->at() + group.layout.abort_slots + 4 * (3 + 2), group.epoch, 1, r.aside);
      CU(cuStreamSynchronize, r.aside);
      group.synchronise();
      expect_outcome(group, 1, r.launched - 1, 3, 2, "control word");
    }
    group.next_epoch();
    run_one(group, s, 4, 0);

    // Another shape of as many bytes.
    {
      Shape other = s;
      other.tokens = 80;
      other.hidden = 2048;
      Operation op(group, s), op2(group, other);
      op.upload(make_inputs(s, 3, 1, 0));
      op2.upload(make_inputs(other, 3, 1, 0));
      op.launch(group.ranks[0]);
      op2.launch(group.ranks[1]);
      op.launch(group.ranks[2]);
      group.synchronise();
      int mismatches = 0;
      for (const Rank& r : group.ranks) {
        const Outcome o = group.last(r);
        mismatches += o.code == 5;
        expect(o.code == 5 || o.code == 3, "a mismatch gives code " + std::to_string(o.code));
      }
      expect(mismatches > 0, "nobody saw the mismatch");
    }
    group.next_epoch();
    run_one(group, s, 5, 0);

    // A call captured in an epoch that has ended touches nothing; another interface neither.
    {
      Operation op(group, s);
      op.upload(make_inputs(s, 3, 1, 0));
      Rank& r = group.ranks[0];
      group.epoch--;
      op.launch(r);
      group.epoch++;
      group.term++;
      op.launch(r);
      group.term--;
      group.synchronise();
      expect_outcome(group, 0, r.launched - 2, 2, -1, "former epoch");
      expect_outcome(group, 0, r.launched - 1, 2, -1, "other term");
      tutti::Launch params = group.prefix(r, sizeof params);
      params.abi_version = 1;
      group.enter(r);
      group.launch(r, "tutti_arm", Geometry{4, 256}, &params);
      group.synchronise();
      expect_outcome(group, 0, r.launched - 1, 7, -1, "other interface");
      const auto out = op.download(op.tensors[0]->norm_out, 4096);
      expect(std::all_of(out.begin(), out.end(), [](uint8_t b) { return b == 0xEE; }), "a stale call wrote");
      run_one(group, s, 6, 0);
    }
  }
  expect(group.guards(), "guards after faults");
}

// Replays of a graph of 50 operations on every rank; microseconds per operation, the slowest rank's median.
static double time_graph(Group& group, const Shape& s, bool programmatic, int per_graph, int replays) {
  Operation op(group, s);
  op.upload(make_inputs(s, static_cast<int>(group.ranks.size()), 1, 0));
  std::vector<CUgraphExec> graphs;
  std::vector<CUevent> starts, ends;
  for (Rank& r : group.ranks) {
    group.enter(r);
    CU(cuStreamBeginCapture, r.stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    for (int i = 0; i < per_graph; i++) op.launch(r, programmatic && i > 0);
    r.launched -= per_graph;
    CUgraph graph;
    CU(cuStreamEndCapture, r.stream, &graph);
    CUgraphExec exec;
    CU(cuGraphInstantiate, &exec, graph, 0);
    CU(cuGraphDestroy, graph);
    graphs.push_back(exec);
    CUevent a, b;
    CU(cuEventCreate, &a, 0);
    CU(cuEventCreate, &b, 0);
    starts.push_back(a);
    ends.push_back(b);
  }
  std::vector<double> times;
  for (int replay = 0; replay < replays + 3; replay++) {
    for (size_t i = 0; i < group.ranks.size(); i++) {
      Rank& r = group.ranks[i];
      group.enter(r);
      CU(cuEventRecord, starts[i], r.stream);
      CU(cuGraphLaunch, graphs[i], r.stream);
      CU(cuEventRecord, ends[i], r.stream);
      r.launched += per_graph;
    }
    group.synchronise();
    float slowest = 0;
    for (size_t i = 0; i < group.ranks.size(); i++) {
      float ms = 0;
      CU(cuEventElapsedTime, &ms, starts[i], ends[i]);
      slowest = std::max(slowest, ms);
    }
    if (replay >= 3) times.push_back(1000.0 * slowest / per_graph);
  }
  expect_all(group, tutti::Code::kOk, "timed " + describe(s, static_cast<int>(group.ranks.size())));
  if (failed_hard(group)) group.next_epoch();
  for (size_t i = 0; i < graphs.size(); i++) {
    group.enter(group.ranks[i]);
    CU(cuGraphExecDestroy, graphs[i]);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// One operation at a time behind a fill that is larger than the second-level cache: the median, of the slower rank.
static double time_cold(Group& group, const Shape& s, int rounds) {
  constexpr size_t kFlush = 192 << 20;
  Operation op(group, s);
  op.upload(make_inputs(s, static_cast<int>(group.ranks.size()), 1, 0));
  std::vector<CUdeviceptr> flush(group.ranks.size());
  std::vector<CUevent> starts(group.ranks.size()), ends(group.ranks.size());
  for (Rank& r : group.ranks) {
    group.enter(r);
    CU(cuMemAlloc, &flush[r.number], kFlush);
    CU(cuEventCreate, &starts[r.number], 0);
    CU(cuEventCreate, &ends[r.number], 0);
  }
  std::vector<double> times;
  for (int round = 0; round < rounds; round++) {
    for (Rank& r : group.ranks) {
      group.enter(r);
      CU(cuMemsetD32Async, flush[r.number], round, kFlush / 4, r.stream);
      CU(cuEventRecord, starts[r.number], r.stream);
      op.launch(r);
      CU(cuEventRecord, ends[r.number], r.stream);
    }
    group.synchronise();
    float slowest = 0;
    for (Rank& r : group.ranks) {
      float ms = 0;
      CU(cuEventElapsedTime, &ms, starts[r.number], ends[r.number]);
      slowest = std::max(slowest, ms);
    }
    times.push_back(1000.0 * slowest);
  }
  for (Rank& r : group.ranks) {
    group.enter(r);
    CU(cuMemFree, flush[r.number]);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// A few small cases, for comparing variants of the kernels.
static void probe(std::vector<Device>& devices) {
  for (int world : {1, 2}) {
    Group group(devices, world, 40 << 20, 40 << 20);
    group.timeout = 300'000'000;
    std::printf("world %d:", world);
    for (uint64_t hidden : {4096, 8192}) {
      for (uint64_t tokens : {1, 32, 512}) {
        Shape s{DType::kBf16, tokens, hidden};
        s.blocks = std::min<uint64_t>(tokens, devices[0].multiprocessors / (2 * world));
        std::printf("  %llux%llu %.2f/%.2f", (unsigned long long)tokens, (unsigned long long)hidden,
                    time_graph(group, s, false, 50, 15), time_graph(group, s, true, 50, 15));
      }
    }
    std::printf("\n");
  }
}

static void timing(std::vector<Device>& devices) {
  std::printf("us per operation, bf16, graph of 50 (10 above 512 tokens), median of 15, %zu device(s)\n", devices.size());
  std::printf("%6s %6s %6s %8s %10s %10s %10s %10s\n", "world", "hidden", "tokens", "blocks", "1-shot", "1-shot pdl", "2-shot", "cold");
  for (int world : {1, 2, 4}) {
    if (world == 1 && devices.size() > 1) continue;
    Group group(devices, world, 40 << 20, 40 << 20);
    for (uint64_t hidden : {4096, 8192}) {
      for (uint64_t tokens : {1, 8, 64, 128, 256, 512, 1024, 2048}) {
        if (world > 2 && tokens > 256) continue;
        if (tokens * hidden * 2 > (40 << 20)) continue;
        Shape s{DType::kBf16, tokens, hidden};
        const int per_graph = tokens > 512 ? 10 : 50;
        // Blocks that have started early hold their place; several ranks of one device then need room for two grids each.
        const bool shared = devices.size() < static_cast<size_t>(world);
        const double plain = time_graph(group, s, false, per_graph, 15);
        if (shared) s.blocks = std::min<uint64_t>(tokens, devices[0].multiprocessors / (2 * world));
        const double pdl = time_graph(group, s, true, per_graph, 15);
        s.blocks = 0;
        s.algorithm = 1;
        const double two = time_graph(group, s, false, per_graph, 15);
        s.algorithm = 0;
        std::printf("%6d %6llu %6llu %8u %10.2f %10.2f %10.2f %10.2f\n", world, (unsigned long long)hidden,
                    (unsigned long long)tokens, geometry(s, devices[0], tokens).blocks, plain, pdl, two,
                    time_cold(group, s, 21));
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
