// Compute y = a * x + b on the GPU, for a number of elements that is not a multiple of
// any block size. The arrays on host and device exist, and so does the kernel's
// signature. Copy x to the device, write the kernel's body, launch it, and copy y back.
// The eight words after the end of y must keep their values.

#include <cstddef>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int guard = 8;

/// y = a * x + b
/// @param n  number of elements
/// @param a  factor
/// @param x  n ints in device memory
/// @param b  addend
/// @param y  n ints in device memory, written
__global__ void affine(int n, int a, const int* x, int b, int* y) {
    // [task-kernel]
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + b;
    //= given
    //| // Which element is this thread's? Is there one?
    //= mutant no_guard
    //| const int i = blockIdx.x * blockDim.x + threadIdx.x;
    //| y[i] = i < n ? a * x[i] + b : 0;
    //= mutant one_block_only
    //| const int i = threadIdx.x;
    //| if (i < n) y[i] = a * x[i] + b;
    // [/task-kernel]
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1'000'003, 1, 1 << 24);
    options.finish();
    lockstep::require_device();

    constexpr int a = 3;
    constexpr int b = -7;
    constexpr int poison = 0x5EED5EED;
    std::vector<int> x(n);
    std::vector<int> expected(n + guard, poison);
    for (int i = 0; i < n; ++i) {
        x[i] = i * 37 % 1001;
        expected[i] = a * x[i] + b;
    }
    std::vector<int> y(n, poison);
    const std::vector<int> poisoned(n + guard, poison);
    lockstep::device_buffer<int> d_x(std::vector<int>(n, poison));
    lockstep::device_buffer<int> d_y(poisoned);

    // [task]
    lockstep::check(
        cudaMemcpy(d_x.data(), x.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    constexpr int block_size = 256;
    affine<<<(n + block_size - 1) / block_size, block_size>>>(n, a, d_x.data(), b,
                                                              d_y.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(
        cudaMemcpy(y.data(), d_y.data(), n * sizeof(int), cudaMemcpyDeviceToHost));
    //= given
    //| // Copy x to d_x, launch affine, copy d_y to y. All three take d_x.data() and
    //| // d_y.data().
    //= mutant rounded_down
    //| lockstep::check(cudaMemcpy(d_x.data(), x.data(), n * sizeof(int),
    //|                            cudaMemcpyHostToDevice));
    //| constexpr int block_size = 256;
    //| affine<<<n / block_size, block_size>>>(n, a, d_x.data(), b, d_y.data());
    //| lockstep::check(cudaGetLastError());
    //| lockstep::check(cudaMemcpy(y.data(), d_y.data(), n * sizeof(int),
    //|                            cudaMemcpyDeviceToHost));
    //= mutant elements_for_bytes
    //| lockstep::check(cudaMemcpy(d_x.data(), x.data(), n, cudaMemcpyHostToDevice));
    //| constexpr int block_size = 256;
    //| affine<<<(n + block_size - 1) / block_size, block_size>>>(n, a, d_x.data(), b,
    //|                                                           d_y.data());
    //| lockstep::check(cudaGetLastError());
    //| lockstep::check(cudaMemcpy(y.data(), d_y.data(), n, cudaMemcpyDeviceToHost));
    // [/task]

    lockstep::exercise_verdict verdict(poison);
    const auto place = [n](std::size_t i) {
        return i < std::size_t(n) ? "element " + std::to_string(i)
                                  : "word " + std::to_string(i - n) + " after the end";
    };
    verdict.equal("d_y and the words after it", d_y.to_host(), expected, place);
    verdict.equal("y on the host", y,
                  std::vector<int>(expected.begin(), expected.end() - guard));
    return verdict.finish();
}
