// Each element becomes the weighted sum of itself and its four neighbors on each side;
// beyond an end of the array, the last element there counts. Each block keeps the
// inputs of its threads in shared memory. Two things are missing: the halo (the four
// words on each side that belong to neighboring blocks) and the barrier.

#include <algorithm>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int radius = 4;
constexpr int block_size = 128;

/// Weight of a neighbor at a distance.
__host__ __device__ int weight(int distance) { return radius + 1 - abs(distance); }

/// Blurs an array.
/// @param n    number of elements
/// @param in   n ints in device memory
/// @param out  n ints in device memory, written
__global__ void blur(int n, const int* in, int* out) {
    __shared__ int words[block_size + 2 * radius];
    const int i = blockIdx.x * block_size + threadIdx.x;
    const auto clamped = [n](int place) { return min(max(place, 0), n - 1); };
    // [task]
    words[radius + threadIdx.x] = in[clamped(i)];
    if (threadIdx.x < radius) {
        words[threadIdx.x] = in[clamped(i - radius)];
        words[radius + block_size + threadIdx.x] = in[clamped(i + block_size)];
    }
    __syncthreads();
    //= given
    //| words[radius + threadIdx.x] = in[clamped(i)];
    //| // Who fills the first four words, and the last four? When may they be read?
    //= mutant no_barrier
    //| words[radius + threadIdx.x] = in[clamped(i)];
    //| if (threadIdx.x < radius) {
    //|     words[threadIdx.x] = in[clamped(i - radius)];
    //|     words[radius + block_size + threadIdx.x] = in[clamped(i + block_size)];
    //| }
    //= mutant left_side_only
    //| words[radius + threadIdx.x] = in[clamped(i)];
    //| if (threadIdx.x < radius) words[threadIdx.x] = in[clamped(i - radius)];
    //| __syncthreads();
    //= mutant zeros_before_the_start
    //| words[radius + threadIdx.x] = in[clamped(i)];
    //| if (threadIdx.x < radius) {
    //|     words[threadIdx.x] = i < radius ? 0 : in[i - radius];
    //|     words[radius + block_size + threadIdx.x] = in[clamped(i + block_size)];
    //| }
    //| __syncthreads();
    //= mutant zeros_after_the_end
    //| words[radius + threadIdx.x] = in[clamped(i)];
    //| if (threadIdx.x < radius) {
    //|     words[threadIdx.x] = in[clamped(i - radius)];
    //|     const int right = i + block_size;
    //|     words[radius + block_size + threadIdx.x] = right < n ? in[right] : 0;
    //| }
    //| __syncthreads();
    //= mutant threads_of_elements_only
    //| if (i < n) words[radius + threadIdx.x] = in[i];
    //| if (threadIdx.x < radius) {
    //|     words[threadIdx.x] = in[clamped(i - radius)];
    //|     words[radius + block_size + threadIdx.x] = in[clamped(i + block_size)];
    //| }
    //| __syncthreads();
    // [/task]
    if (i >= n) return;
    int sum = 0;
    for (int distance = -radius; distance <= radius; ++distance)
        sum += weight(distance) * words[radius + threadIdx.x + distance];
    out[i] = sum;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 100'001, 1, 1 << 24);
    options.finish();
    lockstep::require_device();

    lockstep::exercise_verdict verdict(-1);
    const auto try_with = [&verdict](const char* label, int elements) {
        std::vector<int> in(elements);
        for (int i = 0; i < elements; ++i)
            in[i] = static_cast<int>(i * 7919u % 1009u) + 1;
        std::vector<int> expected(elements);
        for (int i = 0; i < elements; ++i)
            for (int distance = -radius; distance <= radius; ++distance)
                expected[i] +=
                    weight(distance) * in[std::clamp(i + distance, 0, elements - 1)];
        const lockstep::device_buffer<int> d_in(in);
        lockstep::device_buffer<int> d_out(std::vector<int>(elements, -1));
        blur<<<(elements + block_size - 1) / block_size, block_size>>>(
            elements, d_in.data(), d_out.data());
        lockstep::check(cudaGetLastError());
        verdict.equal(label, d_out.to_host(), expected,
                      lockstep::in_groups(block_size, "block", "thread"));
    };
    try_with("blurred", n);
    // the last halo lies beyond the end, wholly or in part
    const int whole = (n + block_size - 1) / block_size * block_size;
    try_with("last block full", whole);
    try_with("last block of 2 elements", whole + 2);
    try_with("3 elements", 3);
    return verdict.finish();
}
