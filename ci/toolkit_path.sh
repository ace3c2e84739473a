# Source this: puts nvcc on the path, if it stands where toolkits usually stand or where `make toolkit` put it.
if ! command -v nvcc >/dev/null 2>&1; then
  for folder in "${CUDA_PATH:-/usr/local/cuda}/bin" "$PWD/.cuda/bin"; do
    if [ -x "$folder/nvcc" ]; then export PATH="$folder:$PATH"; break; fi
  done
fi
