// A pointer, where a variable of the device is wanted.

#include <lockstep/provoke.hpp>

// [kernel]
__constant__ float factor;
// [/kernel]

// [wrong]
static cudaError_t wrong() {
    void* pointer = nullptr;
    lockstep::check(cudaGetSymbolAddress(&pointer, factor));
    const float two = 2;
    return cudaMemcpyToSymbol(pointer, &two, sizeof two);
}
// [/wrong]

// [mended]
static cudaError_t mended() {
    const float two = 2;
    return cudaMemcpyToSymbol(factor, &two, sizeof two);
}
// [/mended]

int main(int argc, char** argv) { return lockstep::provoke(argc, argv, cudaErrorInvalidSymbol, wrong, mended); }
