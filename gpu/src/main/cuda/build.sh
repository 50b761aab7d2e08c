#!/bin/sh
# Makes the PTX of gpu/src/main/resources again from the sources beside this script. For developers; needs nvcc 13.0, so
# that the text is the same everywhere. The build of the project uses the committed PTX only.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/../resources/io/tutti/gpu/cuda}
mkdir -p "$out"
cd "$here"
# The files that the kernels are made of, in the order of their names; a test computes the same.
sources=$(LC_ALL=C ls -- *.cu *.cuh)
hash=$(cat $sources | sha256sum | cut -d ' ' -f 1)
abi=$(sed -n 's/^constexpr uint32_t kAbiVersion = \([0-9]*\);$/\1/p' abi.cuh)

image() { # compute capability, oldest PTX version that has all instructions
  text=$(mktemp)
  nvcc -std=c++17 -O3 --fmad=false --ptx -arch="compute_$1" -o "$text" tutti.cu
  {
    echo "// Tutti's kernels. Made by gpu/src/main/cuda/build.sh; do not edit."
    echo "// tutti-sources: $hash"
    echo "// tutti-abi: $abi"
    # Unused names of files and compilers would change the text without changing the code.
    sed -e '/^\/\//d' -e "s/^\.version .*/.version $2/" \
      -e 's/_INTERNAL_[0-9a-f]*_[0-9]*_tutti_cu_[0-9a-f]*/_INTERNAL_tutti/g' "$text"
  } > "$out/tutti.sm_$1.ptx"
  rm "$text"
  if command -v ptxas > /dev/null; then ptxas -arch="sm_$1" -o /dev/null "$out/tutti.sm_$1.ptx"; fi
}

image 80 7.0
image 90 7.8
