// The kernels by their names, see io.tutti.gpu.op.LaunchTable. Read call.cuh first, then one_shot.cuh. A fused kernel is
// one for each type; for two ranks,
// for one row a block and for rows longer than a block there are others.
#include "local.cuh"
#include "maintenance.cuh"
#include "one_shot.cuh"
#include "two_shot.cuh"

// The largest block, one for each multiprocessor.
#define TUTTI_KERNEL extern "C" __global__ void __launch_bounds__(1024, 1)

#define TUTTI_TENSORS(name, params, body)                       \
  TUTTI_KERNEL name(const __grid_constant__ tutti::params p) {  \
    using namespace tutti;                                      \
    if (!enter(p.launch, sizeof(p))) return;                    \
    body(p);                                                    \
    leave();                                                    \
  }

#define TUTTI_FUSED(name, body) TUTTI_TENSORS(name, Fused, body)
#define TUTTI_LOCAL(name, body) TUTTI_TENSORS(name, Local, body)

#define TUTTI_COMMON(name, condition, body)                           \
  TUTTI_KERNEL name(const __grid_constant__ tutti::Launch launch) {   \
    using namespace tutti;                                            \
    if (!enter(launch, sizeof(launch))) return;                       \
    if (admit(arrive(), 0) && condition) body();                            \
    leave();                                                          \
  }

TUTTI_FUSED(tutti_fused_one_shot_bf16_pair, (one_shot_narrow<Type::kBf16, 2>))
TUTTI_FUSED(tutti_fused_one_shot_fp16_pair, (one_shot_narrow<Type::kFp16, 2>))
TUTTI_FUSED(tutti_fused_one_shot_fp32_pair, (one_shot_narrow<Type::kFp32, 2>))
TUTTI_FUSED(tutti_fused_one_shot_bf16_pair_single, (one_shot_single<Type::kBf16, 2>))
TUTTI_FUSED(tutti_fused_one_shot_fp16_pair_single, (one_shot_single<Type::kFp16, 2>))
TUTTI_FUSED(tutti_fused_one_shot_fp32_pair_single, (one_shot_single<Type::kFp32, 2>))
TUTTI_FUSED(tutti_fused_one_shot_bf16_single, (one_shot_single<Type::kBf16, 0>))
TUTTI_FUSED(tutti_fused_one_shot_fp16_single, (one_shot_single<Type::kFp16, 0>))
TUTTI_FUSED(tutti_fused_one_shot_fp32_single, (one_shot_single<Type::kFp32, 0>))
TUTTI_FUSED(tutti_fused_one_shot_bf16, (one_shot_narrow<Type::kBf16, 0>))
TUTTI_FUSED(tutti_fused_one_shot_fp16, (one_shot_narrow<Type::kFp16, 0>))
TUTTI_FUSED(tutti_fused_one_shot_fp32, (one_shot_narrow<Type::kFp32, 0>))
TUTTI_FUSED(tutti_fused_one_shot_bf16_wide, one_shot_wide<Type::kBf16>)
TUTTI_FUSED(tutti_fused_one_shot_fp16_wide, one_shot_wide<Type::kFp16>)
TUTTI_FUSED(tutti_fused_one_shot_fp32_wide, one_shot_wide<Type::kFp32>)
TUTTI_FUSED(tutti_fused_two_shot_bf16, two_shot<Type::kBf16>)
TUTTI_FUSED(tutti_fused_two_shot_fp16, two_shot<Type::kFp16>)
TUTTI_FUSED(tutti_fused_two_shot_fp32, two_shot<Type::kFp32>)

TUTTI_LOCAL(tutti_local_reduce_bf16, reduce_local<Type::kBf16>)
TUTTI_LOCAL(tutti_local_reduce_fp16, reduce_local<Type::kFp16>)
TUTTI_LOCAL(tutti_local_reduce_fp32, reduce_local<Type::kFp32>)
TUTTI_LOCAL(tutti_local_norm_bf16, norm_local<Type::kBf16>)
TUTTI_LOCAL(tutti_local_norm_fp16, norm_local<Type::kFp16>)
TUTTI_LOCAL(tutti_local_norm_fp32, norm_local<Type::kFp32>)

TUTTI_COMMON(tutti_arm, true, arm)
TUTTI_COMMON(tutti_write_pattern, leads(), write_pattern)
TUTTI_COMMON(tutti_verify_pattern, leads(), verify_pattern)
