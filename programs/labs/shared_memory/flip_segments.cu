// Reverse an array segment by segment, in place: one block for each segment, one thread
// for each element. A segment has up to 1000 elements, and its size is known only at
// the launch. Two things are missing: dynamic shared memory of the right size, and the
// barrier.

#include <cstdio>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

// [task-kernel]
/// Reverses each segment.
/// @param data  segments of blockDim.x ints each in device memory, changed in place
__global__ void flip(int* data) {
    extern __shared__ int segment[];
    int* mine = data + blockIdx.x * blockDim.x;
    segment[threadIdx.x] = mine[threadIdx.x];
    __syncthreads();
    mine[threadIdx.x] = segment[blockDim.x - 1 - threadIdx.x];
}
//= given
//| /// Reverses each segment.
//| /// @param data  segments of blockDim.x ints each in device memory, changed in place
//| __global__ void flip(int* data) {
//|     __shared__ int segment[32];  // too few for most segments
//|     int* mine = data + blockIdx.x * blockDim.x;
//|     if (threadIdx.x < 32) segment[threadIdx.x] = mine[threadIdx.x];
//|     mine[threadIdx.x] = segment[(blockDim.x - 1 - threadIdx.x) % 32];
//| }
//= mutant no_barrier
//| __global__ void flip(int* data) {
//|     extern __shared__ int segment[];
//|     int* mine = data + blockIdx.x * blockDim.x;
//|     segment[threadIdx.x] = mine[threadIdx.x];
//|     mine[threadIdx.x] = segment[blockDim.x - 1 - threadIdx.x];
//| }
//= mutant fixed_size
//| __global__ void flip(int* data) {
//|     __shared__ int segment[256];
//|     int* mine = data + blockIdx.x * blockDim.x;
//|     if (threadIdx.x < 256) segment[threadIdx.x] = mine[threadIdx.x];
//|     __syncthreads();
//|     mine[threadIdx.x] = segment[(blockDim.x - 1 - threadIdx.x) % 256];
//| }
//= mutant room_for_the_largest
//| __global__ void flip(int* data) {
//|     __shared__ int segment[1000];
//|     int* mine = data + blockIdx.x * blockDim.x;
//|     segment[threadIdx.x] = mine[threadIdx.x];
//|     __syncthreads();
//|     mine[threadIdx.x] = segment[blockDim.x - 1 - threadIdx.x];
//| }
// [/task-kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int segments = options.integer("segments", 64, 1, 4096);
    options.finish();
    lockstep::require_device();

    constexpr int largest = 1000;
    lockstep::exercise_verdict verdict;
    for (const int size : {1, 31, 32, 100, 256, 257, largest}) {
        std::vector<int> data(segments * size);
        std::vector<int> expected(segments * size);
        for (int i = 0; i < segments * size; ++i) data[i] = i;
        for (int i = 0; i < segments * size; ++i)
            expected[i] = i / size * size + size - 1 - i % size;
        lockstep::device_buffer<int> d_data(data);
        // [task-launch]
        flip<<<segments, size, size * sizeof(int)>>>(d_data.data());
        //= given
        //| flip<<<segments, size>>>(d_data.data());
        //= mutant elements_for_bytes
        //| flip<<<segments, size, size>>>(d_data.data());
        // [/task-launch]
        lockstep::check(cudaGetLastError());
        char label[40];
        std::snprintf(label, sizeof label, "segments of %d", size);
        verdict.equal(label, d_data.to_host(), expected,
                      lockstep::in_groups(size, "segment", "element"));
    }
    cudaFuncAttributes compiled{};
    lockstep::check(cudaFuncGetAttributes(&compiled, flip));
    verdict.holds("size chosen at the launch",
                  compiled.sharedSizeBytes < largest * sizeof(int),
                  "each block gets shared memory for the largest segment, however "
                  "small its own is");
    return verdict.finish();
}
