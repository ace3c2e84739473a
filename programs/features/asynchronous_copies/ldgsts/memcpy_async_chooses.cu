// How does cuda::memcpy_async with a barrier choose its instructions? By the alignment
// that the types of the pointers and of the size promise: on GPUs of 9.0 and later TMA
// with 16 bytes, LDGSTS with 4 or 8, loads and stores with less. All results are right;
// the times differ.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

#pragma nv_diag_suppress static_var_with_dynamic_init  // init() initializes

namespace cg = cooperative_groups;

constexpr int block_size = 128;
constexpr int max_bytes = 8192;

// [kernel]
/// Copies bytes to shared memory as pointers to T, and from there back.
/// @tparam T      type of the pointers; its alignment is a promise
/// @tparam Size   type of the size; cuda::aligned_size_t is a further promise
/// @param bytes   number of bytes
/// @param x       that many bytes in device memory
/// @param y       that many bytes in device memory, written
/// @param cycles  two clock cycle counts in device memory: of the call, and until the
///                copy has arrived
template <class T, class Size>
__global__ void there_and_back(int bytes, const char* x, char* y, long long* cycles) {
    __shared__ alignas(128) char copy[max_bytes];
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    const cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0) {
        init(&barrier, block_size);
        cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);  // a precaution
    }
    block.sync();
    const long long begin = clock64();
    cuda::memcpy_async(block, reinterpret_cast<T*>(copy), reinterpret_cast<const T*>(x),
                       Size(std::size_t(bytes)), barrier);
    const long long issued = clock64();
    barrier.arrive_and_wait();
    const long long arrived = clock64();
    for (int i = block.thread_rank(); i < bytes; i += block_size) y[i] = copy[i];
    if (block.thread_rank() == 0) {
        cycles[0] = issued - begin;
        cycles[1] = arrived - begin;
    }
}
// [/kernel]

int main() {
    lockstep::require_device(90);

    std::vector<char> x(max_bytes + 4);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<char>(i % 101);
    const lockstep::device_buffer<char> d_x(x);
    lockstep::device_buffer<char> d_y(max_bytes);
    lockstep::device_buffer<long long> d_cycles(2);
    bool right = true;
    const auto show = [&](const char* call, const char* done, auto kernel, int offset,
                          int bytes) {
        std::vector<long long> samples[2];
        for (int run = 0; run < 22; ++run) {
            d_y.fill_bytes(0xFF);
            kernel<<<1, block_size>>>(bytes, d_x.data() + offset, d_y.data(),
                                      d_cycles.data());
            lockstep::check(cudaGetLastError());
            std::vector<char> expected(max_bytes, char(0xFF));
            std::copy_n(x.begin() + offset, bytes, expected.begin());
            right = right && d_y.to_host() == expected;
            const std::vector<long long> cycles = d_cycles.to_host();
            for (int i = 0; i < 2; ++i)
                if (run > 0) samples[i].push_back(cycles[i]);
        }
        for (auto& all : samples)
            std::nth_element(all.begin(), all.begin() + 10, all.end());
        lockstep::report(call, lockstep::measured{double(samples[0][10])}, "cycles");
        lockstep::report(done, lockstep::measured{double(samples[1][10])}, "cycles");
    };
    // [cases]
    using promise = cuda::aligned_size_t<16>;
    show("16 promised, call", "16 promised, arrived", there_and_back<char, promise>, 0,
         8192);
    show("int, call", "int, arrived", there_and_back<int, std::size_t>, 0, 8192);
    show("int off by 4, call", "int off by 4, arrived",
         there_and_back<int, std::size_t>, 4, 8192);
    show("char, 8191 bytes, call", "char, 8191 bytes, arrived",
         there_and_back<char, std::size_t>, 1, 8191);
    // [/cases]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
