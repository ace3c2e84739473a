// An allocation that is larger than the memory.

#include <cstddef>

#include <lockstep/provoke.hpp>

// [wrong]
static cudaError_t wrong() {
    void* memory = nullptr;
    return cudaMalloc(&memory, std::size_t{1} << 50);  // a million gibibytes
}
// [/wrong]

// [mended]
static cudaError_t mended() {
    std::size_t free_bytes = 0;
    std::size_t all_bytes = 0;
    lockstep::check(cudaMemGetInfo(&free_bytes, &all_bytes));
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, free_bytes / 2);
    lockstep::check(cudaFree(memory));
    return error;
}
// [/mended]

int main(int argc, char** argv) { return lockstep::provoke(argc, argv, cudaErrorMemoryAllocation, wrong, mended); }
