#!/usr/bin/env bash
# Installs the compiler and the libraries that the programs need from PyPI into .cuda, laid out as a CUDA toolkit.
# It compiles everything; it brings no driver and none of the tools that record.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-runtime==13.0.96
  nvidia-cuda-cccl==13.0.85 nvidia-cuda-nvrtc==13.0.88 nvidia-nvjitlink==13.0.88 nvidia-cuda-cupti==13.0.85
)

[ "$(cat .cuda/complete 2>/dev/null)" != "${packages[*]}" ] || exit 0
[ -x .venv/bin/pip ] || ci/setup.sh check
echo "toolkit: installing CUDA 13.0 from PyPI into .cuda, 600 MB there"
rm -rf .cuda
.venv/bin/pip install --quiet --no-deps --only-binary :all: --target .cuda/wheels "${packages[@]}"

# Wheels have no links: the linker looks for libx.so, CMake for lib64 and targets/.
mv .cuda/wheels/nvidia/cu13/* .cuda/
ln -s lib .cuda/lib64
mkdir -p .cuda/targets/x86_64-linux
ln -s ../../include ../../lib .cuda/targets/x86_64-linux/
for library in .cuda/lib/*.so.*; do
  name=$(basename "$library")
  [ -e ".cuda/lib/${name%%.so.*}.so" ] || ln -s "$name" ".cuda/lib/${name%%.so.*}.so"
done
echo "${packages[*]}" >.cuda/complete
.cuda/bin/nvcc --version | tail -n 2
