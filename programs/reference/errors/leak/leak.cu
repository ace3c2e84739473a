// Memory of the device that nobody gives back.

#include <lockstep/provoke.hpp>

// [wrong]
static cudaError_t wrong() {
    void* memory = nullptr;
    return cudaMalloc(&memory, 1000);
}
// [/wrong]

// [mended]
static cudaError_t mended() {
    void* memory = nullptr;
    lockstep::check(cudaMalloc(&memory, 1000));
    return cudaFree(memory);
}
// [/mended]

int main(int argc, char** argv) { return lockstep::provoke(argc, argv, cudaSuccess, wrong, mended); }
