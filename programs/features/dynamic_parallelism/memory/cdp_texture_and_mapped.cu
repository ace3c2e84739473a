// May a child read a texture, and write memory of the host? Yes. A texture object that
// the host made is an argument like any other; what the parent wrote to its memory is
// visible to the child's fetches. Mapped memory follows the rules of global memory.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 256;

// [kernels]
/// Fetches through the texture; one block of n threads.
/// @param texels  of n ints
/// @param result  n ints in mapped host memory, written
__global__ void child(cudaTextureObject_t texels, int* result) {
    const int i = static_cast<int>(threadIdx.x);
    result[i] = tex1Dfetch<int>(texels, i);
}

/// Writes the memory of the texture, then launches; one block of n threads.
/// @param x       n ints in device memory, written
/// @param texels  of the same memory; this grid must not fetch what it has written
/// @param result  for the child
__global__ void parent(int* x, cudaTextureObject_t texels, int* result) {
    x[threadIdx.x] = static_cast<int>(3 * threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) child<<<1, n>>>(texels, result);
}
// [/kernels]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> d_x(n);
    d_x.fill_bytes(0);
    int* result = nullptr;
    lockstep::check(cudaMallocHost(&result, n * sizeof *result));
    for (int i = 0; i < n; ++i) result[i] = -1;

    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {d_x.data(), cudaCreateChannelDesc<int>(), d_x.bytes()};
    cudaTextureDesc description{};
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texels = 0;
    lockstep::check(cudaCreateTextureObject(&texels, &resource, &description, nullptr));

    parent<<<1, n>>>(d_x.data(), texels, result);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    int right = 0;
    for (int i = 0; i < n; ++i) right += result[i] == 3 * i;
    lockstep::report("fetched as the parent wrote", right);
    lockstep::check(cudaDestroyTextureObject(texels));
    lockstep::check(cudaFreeHost(result));
    return right == n ? EXIT_SUCCESS : EXIT_FAILURE;
}
