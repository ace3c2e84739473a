// A pointer, where a variable of the device is wanted.

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

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

// [fixed]
static cudaError_t fixed() {
    const float two = 2;
    return cudaMemcpyToSymbol(factor, &two, sizeof two);
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorInvalidSymbol, wrong, fixed);
}
