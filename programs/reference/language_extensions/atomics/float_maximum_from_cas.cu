// How is an operation built that the hardware lacks, such as the maximum of floats? A
// loop reads, computes, and stores with atomicCAS if the word is still what was read.
// It compares the bits as integers: compared as floats, a NaN is never equal to itself,
// so a loop would never end on a word that holds one.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [maximum]
/// Replaces a float by the larger of it and x; a number replaces a NaN.
/// @param address  a float in device or shared memory
/// @param x        the other value
/// @return         the old value
__device__ float atomic_max(float* address, float x) {
    int* word = reinterpret_cast<int*>(address);
    int old = 0, assumed;  // a guess; the first attempt corrects it
    do {
        assumed = old;
        const float larger = fmaxf(x, __int_as_float(assumed));
        old = atomicCAS(word, assumed, __float_as_int(larger));
    } while (old != assumed);  // integers: a NaN equals itself
    return __int_as_float(old);
}
// [/maximum]

/// Each thread offers its number, to a word that holds a number and to one that holds a
/// NaN, and counts how often comparing floats would not have ended.
/// @param results  two floats in device memory: minus infinity and a NaN
/// @param endless  a count in device memory
__global__ void offer(float* results, int* endless) {
    const float mine = (blockIdx.x * blockDim.x + threadIdx.x) * 37 % 1000;
    atomic_max(&results[0], mine);
    const float old = atomic_max(&results[1], mine);
    if (old != old)
        atomicAdd(endless, 1);  // what while (old != assumed) asks of floats
}

int main() {
    lockstep::require_device();

    const std::vector<float> begin{-INFINITY, NAN};
    lockstep::device_buffer<float> d_results(begin);
    lockstep::device_buffer<int> d_endless(1);
    d_endless.fill_bytes(0);
    offer<<<8, 256>>>(d_results.data(), d_endless.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> results = d_results.to_host();
    const int endless = d_endless.to_host()[0];

    lockstep::report("maximum, from -infinity", results[0]);
    lockstep::report("maximum, from NaN", results[1]);
    lockstep::report("old values that were NaN", endless);
    return results[0] == 999 && results[1] == 999 && endless == 1 ? EXIT_SUCCESS
                                                                  : EXIT_FAILURE;
}
