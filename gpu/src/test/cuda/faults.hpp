// What goes wrong on purpose: ranks that never come, aborts from all sides, calls that differ, calls that are stale.
#pragma once

#include "checks.hpp"

inline void run_one(Group& group, const Shape& s, uint64_t seed, int payload) {
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

inline void expect_outcome(Group& group, int rank, uint64_t number, uint32_t code, int named, const std::string& what) {
  const Outcome o = group.outcome(group.ranks[rank], number);
  expect(o.code == code && (named == -3 || o.named == named),
         what + ": rank " + std::to_string(rank) + " code=" + std::to_string(o.code) + " named=" + std::to_string(o.named));
}

inline void faults(std::vector<Device>& devices) {
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
