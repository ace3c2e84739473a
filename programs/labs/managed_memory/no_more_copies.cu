// Replace each number by the steps that it needs to reach 1: halve an even number, and
// turn an odd one into 3 times itself plus 1. The starter copies the numbers to a
// second array on the GPU, and back. Change its three functions so that CPU and GPU use
// one array, and that the numbers are there when replace_by_steps returns.

#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// Steps that a number needs to reach 1.
__host__ __device__ int steps_of(int start) {
    int steps = 0;
    for (long long at = start; at > 1; ++steps) at = at % 2 ? 3 * at + 1 : at / 2;
    return steps;
}

/// Replaces each number by its steps.
/// @param n        how many
/// @param numbers  n numbers that the GPU can reach
/// @param seen     for the check: the kernel notes here which array it was given
__global__ void steps_for_all(int n, int* numbers, const int** seen) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) *seen = numbers;
    if (i < n) numbers[i] = steps_of(numbers[i]);
}

// [task]
/// An array for the CPU and the GPU.
int* new_numbers(int n) {
    int* numbers = nullptr;
    lockstep::check(cudaMallocManaged(&numbers, n * sizeof(int)));
    return numbers;
}

/// Lets the GPU replace the numbers, and returns when the CPU may read them.
void replace_by_steps(int n, int* numbers, const int** seen, cudaStream_t stream) {
    steps_for_all<<<(n + 127) / 128, 128, 0, stream>>>(n, numbers, seen);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamSynchronize(stream));
}

/// Frees what new_numbers() returned.
void free_numbers(int* numbers) { lockstep::check(cudaFree(numbers)); }
//= given
//| /// An array for the CPU and the GPU.
//| int* new_numbers(int n) {
//|     return static_cast<int*>(std::malloc(n * sizeof(int)));
//| }
//|
//| /// Lets the GPU replace the numbers, and returns when the CPU may read them.
//| void replace_by_steps(int n, int* numbers, const int** seen, cudaStream_t stream) {
//|     int* d_numbers = nullptr;
//|     lockstep::check(cudaMalloc(&d_numbers, n * sizeof(int)));
//|     lockstep::check(cudaMemcpyAsync(d_numbers, numbers, n * sizeof(int),
//|                                     cudaMemcpyHostToDevice, stream));
//|     steps_for_all<<<(n + 127) / 128, 128, 0, stream>>>(n, d_numbers, seen);
//|     lockstep::check(cudaGetLastError());
//|     lockstep::check(cudaMemcpyAsync(numbers, d_numbers, n * sizeof(int),
//|                                     cudaMemcpyDeviceToHost, stream));
//|     lockstep::check(cudaStreamSynchronize(stream));
//|     lockstep::check(cudaFree(d_numbers));
//| }
//|
//| /// Frees what new_numbers() returned.
//| void free_numbers(int* numbers) { std::free(numbers); }
//= mutant no_wait
//| int* new_numbers(int n) {
//|     int* numbers = nullptr;
//|     lockstep::check(cudaMallocManaged(&numbers, n * sizeof(int)));
//|     return numbers;
//| }
//| void replace_by_steps(int n, int* numbers, const int** seen, cudaStream_t stream) {
//|     steps_for_all<<<(n + 127) / 128, 128, 0, stream>>>(n, numbers, seen);
//|     lockstep::check(cudaGetLastError());
//| }
//| void free_numbers(int* numbers) { lockstep::check(cudaFree(numbers)); }
//= mutant waits_too_early
//| int* new_numbers(int n) {
//|     int* numbers = nullptr;
//|     lockstep::check(cudaMallocManaged(&numbers, n * sizeof(int)));
//|     return numbers;
//| }
//| void replace_by_steps(int n, int* numbers, const int** seen, cudaStream_t stream) {
//|     lockstep::check(cudaStreamSynchronize(stream));
//|     steps_for_all<<<(n + 127) / 128, 128, 0, stream>>>(n, numbers, seen);
//|     lockstep::check(cudaGetLastError());
//| }
//| void free_numbers(int* numbers) { lockstep::check(cudaFree(numbers)); }
//= mutant waits_for_the_default_stream
//| int* new_numbers(int n) {
//|     int* numbers = nullptr;
//|     lockstep::check(cudaMallocManaged(&numbers, n * sizeof(int)));
//|     return numbers;
//| }
//| void replace_by_steps(int n, int* numbers, const int** seen, cudaStream_t stream) {
//|     steps_for_all<<<(n + 127) / 128, 128, 0, stream>>>(n, numbers, seen);
//|     lockstep::check(cudaGetLastError());
//|     lockstep::check(cudaStreamSynchronize(nullptr));
//| }
//| void free_numbers(int* numbers) { lockstep::check(cudaFree(numbers)); }
//= mutant still_copies
//| int* new_numbers(int n) {
//|     int* numbers = nullptr;
//|     lockstep::check(cudaMallocManaged(&numbers, n * sizeof(int)));
//|     return numbers;
//| }
//| void replace_by_steps(int n, int* numbers, const int** seen, cudaStream_t stream) {
//|     int* d_numbers = nullptr;
//|     lockstep::check(cudaMalloc(&d_numbers, n * sizeof(int)));
//|     lockstep::check(cudaMemcpyAsync(d_numbers, numbers, n * sizeof(int),
//|                                     cudaMemcpyDefault, stream));
//|     steps_for_all<<<(n + 127) / 128, 128, 0, stream>>>(n, d_numbers, seen);
//|     lockstep::check(cudaGetLastError());
//|     lockstep::check(cudaMemcpyAsync(numbers, d_numbers, n * sizeof(int),
//|                                     cudaMemcpyDefault, stream));
//|     lockstep::check(cudaStreamSynchronize(stream));
//|     lockstep::check(cudaFree(d_numbers));
//| }
//| void free_numbers(int* numbers) { lockstep::check(cudaFree(numbers)); }
//= mutant elements_for_bytes
//| int* new_numbers(int n) {
//|     int* numbers = nullptr;
//|     lockstep::check(cudaMallocManaged(&numbers, n));
//|     return numbers;
//| }
//| void replace_by_steps(int n, int* numbers, const int** seen, cudaStream_t stream) {
//|     steps_for_all<<<(n + 127) / 128, 128, 0, stream>>>(n, numbers, seen);
//|     lockstep::check(cudaGetLastError());
//|     lockstep::check(cudaStreamSynchronize(stream));
//| }
//| void free_numbers(int* numbers) { lockstep::check(cudaFree(numbers)); }
// [/task]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1'000'003, 1, 1 << 24);
    options.finish();
    lockstep::require_device();

    const lockstep::owned_stream stream;
    const int** seen = nullptr;  // pinned: the check may look while a kernel runs
    lockstep::check(cudaMallocHost(&seen, sizeof *seen));
    *seen = nullptr;
    int* numbers = new_numbers(n);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) {
        numbers[i] = 1 + i * 7 % 99'991;
        expected[i] = steps_of(numbers[i]);
    }
    replace_by_steps(n, numbers, seen, stream);
    const std::vector<int> found(numbers, numbers + n);  // at once, as the CPU would

    lockstep::check(cudaDeviceSynchronize());
    cudaPointerAttributes kind{};
    lockstep::check(cudaPointerGetAttributes(&kind, numbers));
    lockstep::exercise_verdict verdict;
    verdict.equal("steps", found, expected);
    verdict.holds("memory for both processors", kind.type == cudaMemoryTypeManaged,
                  "new_numbers() returns memory that the GPU cannot reach");
    verdict.holds("no second array", *seen == numbers,
                  "the kernel worked on another array than the one the CPU uses");
    free_numbers(numbers);
    lockstep::check(cudaFreeHost(seen));
    return verdict.finish();
}
