// What does each primitive of <cuda_pipeline.h> do? __pipeline_memcpy_async() copies 4,
// 8 or 16 bytes, and writes zeros in place of the last `zfill` of them. A wait that
// leaves N batches out finds all earlier ones complete. __pipeline_arrive_on() makes a
// barrier wait for the copies of a thread.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_pipeline.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int rows = 9;
constexpr int block_size = 128;

/// One call of __pipeline_memcpy_async().
struct copy {
    int size;
    int zfill;
};

// [sizes]
/// Thread i makes copy i, into 16 bytes of its own that hold 0xFF.
/// @param copies  one copy for each thread in device memory
/// @param from    16 bytes in device memory
/// @param to      16 bytes for each thread in device memory, written
__global__ void copy_sizes(const copy* copies, const unsigned char* from,
                           unsigned char* to) {
    __shared__ alignas(16) unsigned char words[rows][16];
    const int t = threadIdx.x;
    for (int i = 0; i < 16; ++i) words[t][i] = 0xFF;
    __pipeline_memcpy_async(words[t], from, copies[t].size, copies[t].zfill);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int i = 0; i < 16; ++i) to[t * 16 + i] = words[t][i];
}
// [/sizes]

// [batches]
/// Three batches of one copy for each thread; after each wait, the thread notes what
/// is certain to be there.
/// @param from  3 * block_size ints in device memory
/// @param to    as many in device memory, written
__global__ void wait_in_order(const int* from, int* to) {
    __shared__ int words[3][block_size];
    const int t = threadIdx.x;
    for (int batch = 0; batch < 3; ++batch) {
        const int i = batch * block_size + t;
        __pipeline_memcpy_async(&words[batch][t], &from[i], sizeof(int));
        __pipeline_commit();
    }
    __pipeline_wait_prior(2);  // all but the last two: the first
    to[t] = words[0][t];
    __pipeline_wait_prior(1);
    to[block_size + t] = words[1][t];
    __pipeline_wait_prior(0);
    to[2 * block_size + t] = words[2][t];
}
// [/batches]

// [arrive-on]
/// Reverses the numbers of a block: each thread copies one and reads another's.
/// @param from  block_size ints in device memory
/// @param to    as many in device memory, written
__global__ void reverse_by_barrier(const int* from, int* to) {
    __shared__ int words[block_size];
    __shared__ __mbarrier_t barrier;
    const int t = threadIdx.x;
    if (t == 0) __mbarrier_init(&barrier, block_size);
    __syncthreads();
    __pipeline_memcpy_async(&words[t], &from[t], sizeof(int));
    __pipeline_arrive_on(&barrier);  // adds 1 now, takes it back with the data
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
    to[t] = words[block_size - 1 - t];
}
// [/arrive-on]

int main() {
    lockstep::require_device(80);

    const std::vector<copy> copies = {{4, 0},  {4, 1},  {4, 4},  {8, 0},  {8, 3},
                                      {16, 0}, {16, 1}, {16, 9}, {16, 16}};
    std::vector<unsigned char> bytes(16);
    for (int i = 0; i < 16; ++i) bytes[i] = static_cast<unsigned char>(i + 1);
    const lockstep::device_buffer<copy> d_copies(copies);
    const lockstep::device_buffer<unsigned char> d_bytes(bytes);
    lockstep::device_buffer<unsigned char> d_rows(16 * rows);
    d_rows.fill_bytes(0xEE);
    copy_sizes<<<1, rows>>>(d_copies.data(), d_bytes.data(), d_rows.data());
    lockstep::check(cudaGetLastError());
    const std::vector<unsigned char> found = d_rows.to_host();

    bool right = true;
    std::printf("size  zfill  destination\n");
    for (int row = 0; row < rows; ++row) {
        const auto [size, zfill] = copies[row];
        std::printf("%4d  %5d ", size, zfill);
        for (int i = 0; i < 16; ++i) {
            const int byte = found[16 * row + i];
            const int expected = i >= size ? 0xFF : i >= size - zfill ? 0 : i + 1;
            std::printf(" %02x", static_cast<unsigned>(byte));
            right = right && byte == expected;
        }
        std::printf("\n");
    }

    std::vector<int> in(3 * block_size);
    for (int i = 0; i < 3 * block_size; ++i) in[i] = 7 * i;
    const lockstep::device_buffer<int> d_in(in);
    lockstep::device_buffer<int> d_out(in.size());
    d_out.fill_bytes(0xFF);
    wait_in_order<<<1, block_size>>>(d_in.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> waited = d_out.to_host();
    const char* labels[] = {"complete, wait_prior(2)", "complete, wait_prior(1)",
                            "complete, wait_prior(0)"};
    for (int batch = 0; batch < 3; ++batch) {
        int complete = 0;
        for (int t = 0; t < block_size; ++t) {
            const int i = batch * block_size + t;
            complete += waited[i] == in[i];
        }
        lockstep::report(labels[batch], complete, "copies of 128");
        right = right && complete == block_size;
    }

    d_out.fill_bytes(0xFF);
    reverse_by_barrier<<<1, block_size>>>(d_in.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> reversed = d_out.to_host();
    int there = 0;
    for (int t = 0; t < block_size; ++t) there += reversed[t] == in[block_size - 1 - t];
    lockstep::report("complete, arrive_on", there, "copies of 128");
    right = right && there == block_size;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
