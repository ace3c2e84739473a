// When is the group's memcpy_async asynchronous, and how wide is it? It is, if source
// and destination are aligned to 4 bytes or more; and one instruction copies 16 bytes
// for a thread if the type of the pointers promises that alignment. A source that is
// off by 2 bytes is copied through registers, without any message.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int block_size = 128;
constexpr int n = 8192;  // shorts that are copied, 16 KiB

// [kernels]
/// Copies n shorts into shared memory and back.
/// @tparam T      the copy is requested with pointers to it; if it is int4 or int, the
///                alignment is known, and if it is short, found at run time
/// @param from    n shorts in device memory
/// @param to      n shorts in device memory, written
/// @param cycles  two clock cycle counts in device memory: of the call, and until the
///                copy has arrived
template <class T>
__global__ void there_and_back(const short* from, short* to, long long* cycles) {
    __shared__ alignas(16) short words[n];
    const cg::thread_block block = cg::this_thread_block();
    block.sync();
    const long long begin = clock64();
    cg::memcpy_async(block, reinterpret_cast<T*>(words),
                     reinterpret_cast<const T*>(from), n * sizeof(short));
    const long long issued = clock64();
    cg::wait(block);
    const long long arrived = clock64();
    for (int i = block.thread_rank(); i < n; i += block_size) to[i] = words[i];
    if (block.thread_rank() == 0) {
        cycles[0] = issued - begin;
        cycles[1] = arrived - begin;
    }
}
// [/kernels]

int main() {
    lockstep::require_device(80);

    std::vector<short> x(n + 1);
    for (int i = 0; i <= n; ++i) x[i] = static_cast<short>(i * 31);
    const lockstep::device_buffer<short> d_x(x);
    lockstep::device_buffer<short> d_y(n);
    lockstep::device_buffer<long long> d_cycles(2);
    bool right = true;
    const auto show = [&](const char* call, const char* done, auto kernel, int offset) {
        std::vector<double> samples[2];
        for (int run = 0; run < 22; ++run) {
            d_y.fill_bytes(0xFF);
            kernel<<<1, block_size>>>(d_x.data() + offset, d_y.data(), d_cycles.data());
            lockstep::check(cudaGetLastError());
            right = right &&
                    d_y.to_host() ==
                        std::vector<short>(x.begin() + offset, x.begin() + offset + n);
            const std::vector<long long> cycles = d_cycles.to_host();
            for (int i = 0; i < 2; ++i)
                if (run > 0) samples[i].push_back(double(cycles[i]));
        }
        for (auto& all : samples)
            std::nth_element(all.begin(), all.begin() + 10, all.end());
        lockstep::report(call, lockstep::measured{samples[0][10]}, "cycles");
        lockstep::report(done, lockstep::measured{samples[1][10]}, "cycles");
    };
    show("int4, call", "int4, arrived", there_and_back<int4>, 0);
    show("int, call", "int, arrived", there_and_back<int>, 0);
    show("short, call", "short, arrived", there_and_back<short>, 0);
    show("short off by 2, call", "short off by 2, arrived", there_and_back<short>, 1);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
