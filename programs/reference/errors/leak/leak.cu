// Device memory that the program never frees.

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

// [wrong]
static cudaError_t wrong() {
    void* memory = nullptr;
    return cudaMalloc(&memory, 1000);
}
// [/wrong]

// [fixed]
static cudaError_t fixed() {
    void* memory = nullptr;
    lockstep::check(cudaMalloc(&memory, 1000));
    return cudaFree(memory);
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaSuccess, wrong, fixed);
}
