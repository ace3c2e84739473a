// Do texture references still compile? No: the template texture<>, of which older
// programs declare variables, is gone since CUDA 12.0. Texture objects take its place.

#include <cuda_runtime.h>

// [reference]
texture<float, cudaTextureType2D, cudaReadModeElementType> picture;

/// Fetches from a texture that is a global variable.
/// @param out  one float in device memory, written
__global__ void fetch(float* out) { *out = tex2D(picture, 0.5f, 0.5f); }
// [/reference]

int main() { return 0; }
