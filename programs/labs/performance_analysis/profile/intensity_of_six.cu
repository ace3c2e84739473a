// Six kernels, before any of them is profiled: how many floating-point operations does
// each do for an element, how many bytes must device memory move for it, and which of
// the two limits the kernel? A fused multiply-add is two operations. Bytes count once:
// a word that was loaded before comes from a cache. The GPU of the question does 14
// operations in the time of a byte.

#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1024;  // elements of each array

/// Three arrays of n floats; counts the operations, and marks the words in use.
struct counting_memory {
    float* arrays;
    int* used;  ///< a word for each word of the arrays
    unsigned long long* operations;

    __device__ float load(int array, int i) const {
        atomicOr(used + array * n + i, 1);
        return arrays[array * n + i];
    }
    __device__ void store(int array, int i, float value) const {
        atomicOr(used + array * n + i, 2);
        arrays[array * n + i] = value;
    }
    __device__ float add(float a, float b) const {
        atomicAdd(operations, 1ULL);
        return a + b;
    }
    __device__ float multiply(float a, float b) const {
        atomicAdd(operations, 1ULL);
        return a * b;
    }
    /// a * b + c in one instruction.
    __device__ float multiply_add(float a, float b, float c) const {
        atomicAdd(operations, 2ULL);
        return fmaf(a, b, c);
    }
};

// [six]
/// What the thread of element i does; 0, 1 and 2 are three arrays.
/// @param which  of the six kernels
/// @param i      number of the element
/// @param m      loads, stores and computes
__device__ void element(int which, int i, const counting_memory& m) {
    if (which == 0) {  // scale: multiply an array by a number
        m.store(1, i, m.multiply(2.0F, m.load(0, i)));
    } else if (which == 1) {  // axpy: y = a * x + y
        m.store(1, i, m.multiply_add(2.0F, m.load(0, i), m.load(1, i)));
    } else if (which == 2) {  // mean: of an element and its two neighbors, on a ring
        const float left = m.load(0, (i + n - 1) % n), right = m.load(0, (i + 1) % n);
        m.store(1, i, m.multiply(m.add(m.add(left, m.load(0, i)), right), 0.25F));
    } else if (which == 3) {  // Horner: a polynomial of degree 64
        const float x = m.load(0, i);
        float y = 1.0F;
        for (int k = 0; k < 64; ++k) y = m.multiply_add(y, x, 0.5F);
        m.store(1, i, y);
    } else if (which == 4) {  // merge: the larger of two, no floating-point operation
        const float a = m.load(0, i), b = m.load(1, i);
        m.store(2, i, a > b ? a : b);
    } else {  // window: a weighted sum of 128 elements, on a ring
        float sum = 0;
        for (int k = 0; k < 128; ++k)
            sum = m.multiply_add(m.load(0, (i + k) % n), 0.5F, sum);
        m.store(1, i, sum);
    }
}
// [/six]

/// Counts one of the six kernels; a thread for each element.
/// @param which   of the six kernels
/// @param memory  loads, stores and computes
__global__ void run(int which, counting_memory memory) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) element(which, i, memory);
}

enum limit { memory, compute };

/// What a learner says of a kernel.
struct answer {
    double operations;  ///< for each element
    double bytes;  ///< that device memory moves for each element, at least
    limit limited_by;
};

// [task]
constexpr answer answers[6] = {
    {1, 8, memory},  // scale
    {2, 12, memory},  // axpy
    {3, 8, memory},  // mean
    {128, 8, compute},  // Horner
    {0, 12, memory},  // merge
    {256, 8, compute},  // window
};
//= given
//| constexpr answer answers[6] = {
//|     {0, 0, memory},  // scale
//|     {0, 0, memory},  // axpy
//|     {0, 0, memory},  // mean
//|     {0, 0, memory},  // Horner
//|     {0, 0, memory},  // merge
//|     {0, 0, memory},  // window
//| };
//= mutant each_load_from_device_memory
//| constexpr answer answers[6] = {
//|     {1, 8, memory},  // scale
//|     {2, 12, memory},  // axpy
//|     {3, 16, memory},  // mean
//|     {128, 8, compute},  // Horner
//|     {0, 12, memory},  // merge
//|     {256, 516, memory},  // window
//| };
//= mutant multiply_add_is_one
//| constexpr answer answers[6] = {
//|     {1, 8, memory},  // scale
//|     {1, 12, memory},  // axpy
//|     {3, 8, memory},  // mean
//|     {64, 8, memory},  // Horner
//|     {0, 12, memory},  // merge
//|     {128, 8, compute},  // window
//| };
//= mutant stores_are_free
//| constexpr answer answers[6] = {
//|     {1, 4, memory},  // scale
//|     {2, 8, memory},  // axpy
//|     {3, 4, memory},  // mean
//|     {128, 4, compute},  // Horner
//|     {0, 8, memory},  // merge
//|     {256, 4, compute},  // window
//| };
// [/task]

int main() {
    lockstep::require_device();

    constexpr double operations_in_the_time_of_a_byte = 14;
    const char* names[] = {"scale", "axpy", "mean", "Horner", "merge", "window"};
    lockstep::device_buffer<float> arrays(3 * n);
    lockstep::exercise_verdict verdict;
    for (int which = 0; which < 6; ++which) {
        arrays.fill_bytes(0);
        lockstep::device_buffer<int> used(std::vector<int>(3 * n));
        lockstep::device_buffer<unsigned long long> operations(
            std::vector<unsigned long long>(1));
        run<<<n / 256, 256>>>(which, {arrays.data(), used.data(), operations.data()});
        lockstep::check(cudaGetLastError());
        double bytes = 0;  // a word that is read and written is moved twice
        for (const int how : used.to_host()) bytes += 4 * (how % 2 + how / 2);
        bytes /= n;
        const double done = double(operations.to_host()[0]) / n;
        const answer& given = answers[which];
        const std::string name = names[which];
        verdict.holds((name + ": operations").c_str(), given.operations == done,
                      "count them in the source; a multiply-add is two");
        verdict.holds((name + ": bytes").c_str(), given.bytes == bytes,
                      "each word once for loads, once more if it is stored");
        const limit should =
            done / bytes > operations_in_the_time_of_a_byte ? compute : memory;
        verdict.holds((name + ": limit").c_str(), given.limited_by == should,
                      "compare operations / bytes with 14");
    }
    return verdict.finish();
}
