// An allocation that is larger than the memory.

#include <cstddef>

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

// [wrong]
static cudaError_t wrong() {
    void* memory = nullptr;
    return cudaMalloc(&memory, std::size_t(1) << 50);  // a million gibibytes
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    std::size_t free_bytes = 0;
    std::size_t all_bytes = 0;
    lockstep::check(cudaMemGetInfo(&free_bytes, &all_bytes));
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, free_bytes / 2);
    lockstep::check(cudaFree(memory));
    return error;
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorMemoryAllocation, wrong, fixed);
}
