// What host code and kernels agree on, byte for byte: io.tutti.gpu.abi and io.tutti.gpu.workspace in C. A change here is a
// change of kAbiVersion.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tutti {

constexpr uint32_t kAbiVersion = 2;
constexpr uint32_t kControlMagic = 0x54435431;

// The word of a slot that nobody has written yet, for all tensor types.
constexpr uint32_t kSentinel = 0x80000000u;

constexpr uint32_t kStages = 3;
constexpr uint32_t kVectorElements = 8;
constexpr uint32_t kHeaderBytes = 16;
constexpr uint32_t kVerifyBytes = 128;
constexpr uint32_t kRecordBytes = 64;

enum class Code : uint32_t { kOk = 1, kStale, kAborted, kTimeout, kMismatch, kCorrupt, kBadAbi };

enum class Type : uint32_t { kBf16, kFp16, kFp32 };

enum Region : uint32_t { kOneShot, kScatter, kGatherResidual, kGatherSum, kRegions };

// The longest tensor of one launch; longer calls go in chunks anyway.
constexpr uint32_t kMaxLaunchBytes = 1u << 30;

constexpr uint32_t kFlagNorm = 1;
constexpr uint32_t kFlagSum = 2;

struct Launch {
  uint32_t abi_version;
  uint32_t struct_bytes;
  uint64_t control;
  uint64_t term;
  uint64_t epoch;
  uint64_t timeout_nanos;
};

struct Fused {
  Launch launch;
  uint64_t partial;
  uint64_t residual;
  uint64_t gamma;
  uint64_t norm_out;
  uint64_t residual_out;
  uint64_t sum_out;
  uint64_t tokens;
  uint64_t hidden;
  uint64_t token_offset;
  uint32_t dtype;
  uint32_t epilogue;
  float eps;
  float bias;
  uint64_t fingerprint;
  uint64_t tag;
  uint32_t flags;
  uint32_t algorithm;
};

struct Local {
  Launch launch;
  uint64_t parts;
  uint64_t part_stride;
  uint64_t own;
  uint64_t residual;
  uint64_t gamma;
  uint64_t norm_out;
  uint64_t residual_out;
  uint64_t sum_out;
  uint64_t tokens;
  uint64_t hidden;
  uint32_t dtype;
  uint32_t flags;
  float eps;
  float bias;
};

struct RegionPlace {
  uint64_t offset;
  uint64_t slot_bytes;
};

struct Control {
  uint32_t magic;
  uint32_t abi_version;
  uint64_t term;
  uint64_t epoch;
  uint32_t rank;
  uint32_t world;
  uint64_t sequence;
  uint64_t retired;
  uint64_t host_abort;
  uint64_t status_ring;
  uint32_t ring_mask;
  uint32_t unused;
  uint32_t last_status;
  int32_t last_rank;
  uint64_t workspace_bytes;
  uint64_t abort_slots;
  uint64_t channels;
  uint64_t headers;
  uint64_t verify;
  uint64_t unused_too;
  RegionPlace regions[kRegions];
  uint64_t clear_bytes[kRegions][kStages];
  uint32_t arrivals;  // blocks that have left, without the first
  uint32_t outcome;   // why the first block that failed did, see pack_outcome
  uint32_t unused_counters[6];
  uint64_t padding[8];
  uint64_t workspaces[72];
  uint64_t tail[8];
};

static_assert(sizeof(Launch) == 40 && sizeof(Fused) == 152 && sizeof(Local) == 136 && sizeof(Control) == 1024);
static_assert(offsetof(Fused, dtype) == 112 && offsetof(Fused, algorithm) == 148);
static_assert(offsetof(Control, sequence) == 32 && offsetof(Control, last_status) == 72);
static_assert(offsetof(Control, verify) == 112 && offsetof(Control, regions) == 128);
static_assert(offsetof(Control, clear_bytes) == 192 && offsetof(Control, arrivals) == 288);
static_assert(offsetof(Control, workspaces) == 384);

// A status record: the word that publishes it, the kernel's number + 1 and its nanoseconds, is one store.
struct Record {
  uint32_t number;
  uint32_t nanos;
  uint64_t epoch;
  uint64_t sequence;
  uint32_t code;
  int32_t named_rank;
};

}  // namespace tutti
