// What does an atomic_ref take? The object that it makes atomic, not the object's
// address: this file does not compile.

#include <cuda/atomic>

// [kernel]
/// Means to add all elements to one number.
/// @param n    number of elements
/// @param x    device array of `n` elements
/// @param sum  device value
__global__ void sum_atomic(int n, const float* x, float* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    cuda::atomic_ref<float, cuda::thread_scope_device> total(sum);  // should be *sum
    if (i < n) total.fetch_add(x[i]);
}
// [/kernel]

int main() {}
