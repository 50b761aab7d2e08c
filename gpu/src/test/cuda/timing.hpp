// Timing, on however many devices there are.
#pragma once

#include "checks.hpp"

// Replays of a graph of 50 operations on every rank; microseconds per operation, the slowest rank's median.
inline double time_graph(Group& group, const Shape& s, bool programmatic, int per_graph, int replays) {
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
inline double time_cold(Group& group, const Shape& s, int rounds) {
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
inline void probe(std::vector<Device>& devices) {
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

inline void timing(std::vector<Device>& devices) {
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
