// Bug report: "It prints zero, and no error." The function below ignores everything
// that CUDA returns. Make it return the first error of any of its calls or of its
// kernel, and free its memory in every case. The check calls it with a good block size,
// with an impossible one, and with more elements than fit into memory.

#include <cstddef>
#include <string>
#include <vector>

#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

/// Adds up an array.
/// @param n    number of elements
/// @param x    n ints in device memory
/// @param sum  one number in device memory, increased by the sum
__global__ void add_up(std::size_t n, const int* x, unsigned long long* sum) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    unsigned long long mine = 0;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
         i += step)
        mine += x[i];
    atomicAdd(sum, mine);
}

int held = 0;  // allocations that are not freed yet

/// cudaMalloc, counted.
cudaError_t take(void** memory, std::size_t bytes) {
    const cudaError_t error = cudaMalloc(memory, bytes);
    if (error == cudaSuccess) ++held;
    return error;
}

/// cudaFree, counted; does nothing with nullptr.
void give_back(void* memory) {
    if (memory) --held;
    cudaFree(memory);
}

// [task]
/// Adds up an array of the host.
/// @param x           numbers on the host
/// @param n           how many
/// @param block_size  threads of a block
/// @param sum         set to the sum, if all goes well
/// @return the first error, or cudaSuccess
cudaError_t sum_of(const int* x, std::size_t n, int block_size,
                   unsigned long long* sum) {
    int* d_x = nullptr;
    unsigned long long* d_sum = nullptr;
    cudaError_t error = take(reinterpret_cast<void**>(&d_x), n * sizeof *d_x);
    if (error == cudaSuccess)
        error = take(reinterpret_cast<void**>(&d_sum), sizeof *d_sum);
    if (error == cudaSuccess) error = cudaMemset(d_sum, 0, sizeof *d_sum);
    if (error == cudaSuccess)
        error = cudaMemcpy(d_x, x, n * sizeof *d_x, cudaMemcpyDefault);
    if (error == cudaSuccess) {
        add_up<<<100, block_size>>>(n, d_x, d_sum);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess)
        error = cudaMemcpy(sum, d_sum, sizeof *sum, cudaMemcpyDefault);
    give_back(d_x);
    give_back(d_sum);
    cudaGetLastError();  // reported above; the next check must not find it
    return error;
}
//= given
//| /// Adds up an array of the host.
//| /// @param x           numbers on the host
//| /// @param n           how many
//| /// @param block_size  threads of a block
//| /// @param sum         set to the sum, if all goes well
//| /// @return the first error, or cudaSuccess
//| cudaError_t sum_of(const int* x, std::size_t n, int block_size,
//|                    unsigned long long* sum) {
//|     int* d_x = nullptr;
//|     unsigned long long* d_sum = nullptr;
//|     take(reinterpret_cast<void**>(&d_x), n * sizeof *d_x);
//|     take(reinterpret_cast<void**>(&d_sum), sizeof *d_sum);
//|     cudaMemset(d_sum, 0, sizeof *d_sum);
//|     cudaMemcpy(d_x, x, n * sizeof *d_x, cudaMemcpyDefault);
//|     add_up<<<100, block_size>>>(n, d_x, d_sum);
//|     cudaMemcpy(sum, d_sum, sizeof *sum, cudaMemcpyDefault);
//|     give_back(d_x);
//|     give_back(d_sum);
//|     return cudaSuccess;
//| }
//= mutant launch_unchecked
//| cudaError_t sum_of(const int* x, std::size_t n, int block_size,
//|                    unsigned long long* sum) {
//|     int* d_x = nullptr;
//|     unsigned long long* d_sum = nullptr;
//|     cudaError_t error = take(reinterpret_cast<void**>(&d_x), n * sizeof *d_x);
//|     if (error == cudaSuccess)
//|         error = take(reinterpret_cast<void**>(&d_sum), sizeof *d_sum);
//|     if (error == cudaSuccess) error = cudaMemset(d_sum, 0, sizeof *d_sum);
//|     if (error == cudaSuccess)
//|         error = cudaMemcpy(d_x, x, n * sizeof *d_x, cudaMemcpyDefault);
//|     if (error == cudaSuccess) add_up<<<100, block_size>>>(n, d_x, d_sum);
//|     if (error == cudaSuccess)
//|         error = cudaMemcpy(sum, d_sum, sizeof *sum, cudaMemcpyDefault);
//|     give_back(d_x);
//|     give_back(d_sum);
//|     cudaGetLastError();
//|     return error;
//| }
//= mutant leaks_on_error
//| cudaError_t sum_of(const int* x, std::size_t n, int block_size,
//|                    unsigned long long* sum) {
//|     int* d_x = nullptr;
//|     unsigned long long* d_sum = nullptr;
//|     cudaError_t error = take(reinterpret_cast<void**>(&d_sum), sizeof *d_sum);
//|     if (error == cudaSuccess)
//|         error = take(reinterpret_cast<void**>(&d_x), n * sizeof *d_x);
//|     if (error != cudaSuccess) return cudaGetLastError();
//|     cudaMemset(d_sum, 0, sizeof *d_sum);
//|     cudaMemcpy(d_x, x, n * sizeof *d_x, cudaMemcpyDefault);
//|     add_up<<<100, block_size>>>(n, d_x, d_sum);
//|     error = cudaGetLastError();
//|     if (error != cudaSuccess) return error;
//|     cudaMemcpy(sum, d_sum, sizeof *sum, cudaMemcpyDefault);
//|     give_back(d_x);
//|     give_back(d_sum);
//|     return error;
//| }
// [/task]

int main() {
    lockstep::require_device();

    std::vector<int> x(1 << 20);
    unsigned long long expected_sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<int>(i % 1009);
        expected_sum += x[i];
    }
    lockstep::exercise_verdict verdict;
    unsigned long long sum = 0;
    const auto says = [&](const char* what, cudaError_t found, cudaError_t expected) {
        const std::string advice =
            std::string("it returned ") + cudaGetErrorName(found) + ", expected " +
            cudaGetErrorName(expected) + ": which of its calls can fail here?";
        verdict.holds(what, found == expected, advice.c_str());
    };
    says("blocks of 256", sum_of(x.data(), x.size(), 256, &sum), cudaSuccess);
    verdict.equal("the sum", std::vector<unsigned long long>{sum},
                  std::vector<unsigned long long>{expected_sum});
    add_up<<<1, 2048>>>(0, nullptr, nullptr);
    // which code it is depends on the driver
    const cudaError_t refused = cudaGetLastError();
    says("blocks of 2048", sum_of(x.data(), x.size(), 2048, &sum), refused);
    says("far too many elements", sum_of(x.data(), std::size_t(1) << 48, 256, &sum),
         cudaErrorMemoryAllocation);
    sum = 0;
    says("blocks of 128 afterwards", sum_of(x.data(), x.size(), 128, &sum),
         cudaSuccess);
    verdict.equal("the sum afterwards", std::vector<unsigned long long>{sum},
                  std::vector<unsigned long long>{expected_sum});
    verdict.holds("all memory freed", held == 0,
                  "what is still allocated when an error returns?");
    return verdict.finish();
}
