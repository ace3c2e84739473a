// May a row of the box be shorter than the span of the swizzle? Boxes of 8 rows of 128,
// 64 and 32 bytes are copied with the swizzle of 128 bytes. The program prints what the
// encoder returns, where the chunks lie in shared memory, and which numbers of bytes
// complete the phase of the barrier.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

namespace ptx = cuda::ptx;

constexpr int rows = 8;
constexpr int chunk = 4;  // ints: 16 bytes
constexpr int line_chunks = 8;  // 128 bytes: the span
constexpr int room = 2 * rows * line_chunks * chunk;  // ints, twice 1 KiB

// [kernel]
/// Copies a box into shared memory and, if the barrier says that it has arrived, shared
/// memory to `out` as it lies there.
/// @param tiles      describes the array
/// @param announced  bytes that the barrier expects
/// @param out        `room` ints in device memory; -1: not written by the copy
/// @param complete   one int in device memory, written: whether the phase was completed
///                   within a millisecond
__global__ void copy_box(const __grid_constant__ CUtensorMap tiles,
                         std::uint32_t announced, int* out, int* complete) {
    __shared__ alignas(1024) int box[room];
    __shared__ std::uint64_t arrived;
    if (threadIdx.x == 0) ptx::mbarrier_init(&arrived, 1);
    box[threadIdx.x] = -1;
    ptx::fence_proxy_async(ptx::space_shared);  // before TMA writes the same words
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, announced);
        const std::int32_t corner[] = {0, 0};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, box, &tiles,
                                  corner, &arrived);
    }
    const unsigned long long begin = lockstep::now_ns();
    bool done = false;
    while (!done && lockstep::now_ns() - begin < 1'000'000)
        done = ptx::mbarrier_try_wait_parity(&arrived, 0);
    if (threadIdx.x == 0) *complete = done;
    lockstep::busy_wait(100'000);  // the copy ends, whatever the barrier expects
    if (done) out[threadIdx.x] = box[threadIdx.x];
}
// [/kernel]

int main() {
    lockstep::require_device(90);
    lockstep::device_buffer<int> d_out(room), d_complete(1);
    bool right = true;
    for (const int row_chunks : {8, 4, 2}) {
        const int columns = row_chunks * chunk;
        std::vector<int> x(rows * columns);
        for (int i = 0; i < rows * columns; ++i) x[i] = i;
        lockstep::device_buffer<int> d_x(x);
        // [encode]
        const cuuint64_t sizes[] = {cuuint64_t(columns), rows};
        const cuuint64_t strides[] = {columns * sizeof(int)};
        const cuuint32_t box[] = {cuuint32_t(columns), rows};
        const cuuint32_t steps[] = {1, 1};
        CUtensorMap map{};
        const CUresult result = cuTensorMapEncodeTiled(
            &map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, d_x.data(), sizes, strides, box,
            steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
            CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
        // [/encode]
        const std::string name = "rows of " + std::to_string(row_chunks * 16) + ": ";
        lockstep::report((name + "encoder").c_str(), lockstep::name_of(result));
        if (result != CUDA_SUCCESS) continue;

        std::vector<int> shared;
        const int packed = rows * row_chunks * 16;  // bytes of the box
        for (const int announced : {packed, rows * line_chunks * 16}) {
            if (announced == packed && !shared.empty()) continue;  // the two are one
            d_out.fill_bytes(0xFF);
            d_complete.fill_bytes(0xFF);
            copy_box<<<1, room>>>(map, announced, d_out.data(), d_complete.data());
            lockstep::check(cudaGetLastError());
            const int complete = d_complete.to_host()[0];
            const std::string label = name + std::to_string(announced) + " expected";
            lockstep::report(label.c_str(), complete ? "completes" : "does not");
            if (complete == 1) shared = d_out.to_host();
            right = right && (complete == 0 || complete == 1);
        }
        if (shared.empty()) continue;  // no number completed the phase
        int last = 0, found = 0;
        for (int place = 0; place < room / chunk; ++place) {
            if (shared[place * chunk] < 0) continue;
            last = place;
            ++found;
        }
        lockstep::report((name + "chunks found").c_str(), found);
        for (int place = 0; place <= last; ++place) {
            const int i = shared[place * chunk] / chunk;  // of all chunks of the box
            if (shared[place * chunk] < 0)
                std::printf("   .");
            else
                std::printf(" %d.%d", i / row_chunks, i % row_chunks);
            if (place % line_chunks == line_chunks - 1 || place == last)
                std::printf("\n");
        }
        right = right && found == rows * row_chunks;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
