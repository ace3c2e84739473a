// How does the host fill constant memory? By the symbol's name: the variable lies on
// the device, and by the name the runtime finds it. Kernels read it like any array, and
// cannot change it.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [symbol]
__constant__ int coefficients[4];  // of a cubic polynomial, highest first
// [/symbol]

// [kernel]
/// Evaluates the polynomial at i in thread i.
/// @param n       number of values
/// @param values  n ints in device memory
__global__ void evaluate(int n, int* values) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int value = 0;
    // all threads read the same element
    for (int k = 0; k < 4; ++k) value = value * i + coefficients[k];
    values[i] = value;
}
// [/kernel]

int main() {
    lockstep::require_device();

    constexpr int n = 1000;
    // [fill]
    const int chosen[4] = {1, -2, 3, -4};
    lockstep::check(cudaMemcpyToSymbol(coefficients, chosen, sizeof chosen));
    // [/fill]
    lockstep::device_buffer<int> d_values(n);
    d_values.fill_bytes(0xFF);
    evaluate<<<(n + 255) / 256, 256>>>(n, d_values.data());
    lockstep::check(cudaGetLastError());
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = ((i - 2) * i + 3) * i - 4;
    const std::size_t wrong = lockstep::count_mismatches(d_values.to_host(), expected);

    // [ask]
    int back[4] = {};
    lockstep::check(cudaMemcpyFromSymbol(back, coefficients, sizeof back));
    std::size_t bytes = 0;
    lockstep::check(cudaGetSymbolSize(&bytes, coefficients));
    void* address = nullptr;
    lockstep::check(cudaGetSymbolAddress(&address, coefficients));
    cudaPointerAttributes attributes{};
    lockstep::check(cudaPointerGetAttributes(&attributes, address));
    // [/ask]
    lockstep::report("value at 10", expected[10]);
    lockstep::report("wrong values", wrong);
    lockstep::report("last coefficient, read back", back[3]);
    lockstep::report("size of the symbol", bytes, "bytes");
    lockstep::report("its address is on", attributes.type == cudaMemoryTypeDevice
                                              ? "the device"
                                              : "the host");
    const bool right = wrong == 0 && back[3] == -4 && bytes == sizeof chosen &&
                       attributes.type == cudaMemoryTypeDevice;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
