// Which headers of libcu++ beyond the standard work in a kernel? Each line names one of
// <cuda/...>, an entity of it, and what one warp computed with it. One more,
// <cuda/stream_ref>, is for the host, which uses it here.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda/annotated_ptr>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/bit>
#include <cuda/cmath>
#include <cuda/discard_memory>
#include <cuda/functional>
#include <cuda/latch>
#include <cuda/mdspan>
#include <cuda/numeric>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda/semaphore>
#include <cuda/stream_ref>
#include <cuda/type_traits>
#include <cuda/version>
#include <cuda/warp>
#include <cuda/work_stealing>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int headers = 17;

/// Uses an entity of each header; one warp.
/// @param in    32 ints in device memory: 0, 1, 2, ...
/// @param junk  128 bytes in device memory, aligned to 128, whose content may be lost
/// @param out   one int for each header in device memory, written
__global__ void use_headers(int* in, void* junk, int* out) {
    // [storage]
    alignas(cuda::barrier<cuda::thread_scope_block>) __shared__ unsigned char
        barrier_room[sizeof(cuda::barrier<cuda::thread_scope_block>)];
    alignas(cuda::latch<cuda::thread_scope_block>) __shared__ unsigned char
        latch_room[sizeof(cuda::latch<cuda::thread_scope_block>)];
    alignas(cuda::binary_semaphore<cuda::thread_scope_block>) __shared__ unsigned char
        semaphore_room[sizeof(cuda::binary_semaphore<cuda::thread_scope_block>)];
    auto* barrier =
        reinterpret_cast<cuda::barrier<cuda::thread_scope_block>*>(barrier_room);
    auto* latch = reinterpret_cast<cuda::latch<cuda::thread_scope_block>*>(latch_room);
    auto* semaphore =
        reinterpret_cast<cuda::binary_semaphore<cuda::thread_scope_block>*>(
            semaphore_room);
    if (threadIdx.x == 0) {
        init(barrier, 32);
        new (latch) cuda::latch<cuda::thread_scope_block>(32);
        new (semaphore) cuda::binary_semaphore<cuda::thread_scope_block>(1);
    }
    // [/storage]
    __shared__ int sum, copied[32];
    const int lane = static_cast<int>(cuda::ptx::get_sreg_laneid());
    if (lane == 0) sum = 0;
    __syncthreads();

    // [threads]
    const cuda::atomic_ref<int, cuda::thread_scope_block> total(sum);
    total.fetch_add(lane, cuda::memory_order_relaxed);
    barrier->wait(barrier->arrive());
    total.wait(0);  // returns at once: the value is not 0
    const int after_barrier = total.load();
    latch->arrive_and_wait();
    semaphore->acquire();
    semaphore->release();
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&copied[lane], &in[lane], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    pipe.consumer_release();
    const int shuffled = cuda::device::warp_shuffle_idx(lane, 5);
    // [/threads]
    // [memory]
    const cuda::annotated_ptr<int, cuda::access_property::streaming> once(in);
    const int streamed = once[lane];
    const cuda::restrict_mdspan<int, cuda::std::extents<int, 4, 8>> matrix(in);
    if (lane == 0) cuda::discard_memory(junk, 128);
    // [/memory]
    // [work]
    cuda::for_each_canceled_block<1>([=](dim3 block) {
        if (lane == 0) out[headers - 1] = static_cast<int>(block.x) + 1;
    });
    // [/work]
    if (lane != 7) return;
    *out++ = streamed;
    *out++ = after_barrier;
    *out++ = cuda::barrier<cuda::thread_scope_block>::max();
    *out++ = static_cast<int>(cuda::bit_reverse(1u << 31));
    *out++ = cuda::ceil_div(100, 32);
    *out++ = 1;  // discard_memory() returned
    *out++ = cuda::maximum<int>()(7, lane - 1);
    *out++ = latch->try_wait();
    *out++ = matrix(1, 2);
    *out++ = cuda::overflow_cast<signed char>(300).overflow;
    *out++ = copied[lane];
    *out++ = lane;
    *out++ = semaphore->try_acquire();
    *out++ = cuda::is_floating_point_v<float>;
    *out++ = CCCL_VERSION / 1'000'000;
    *out++ = shuffled;
}

int main() {
    lockstep::require_device();

    const struct {
        const char* header;
        const char* entity;
        int expected;
    } rows[headers] = {{"annotated_ptr", "annotated_ptr", 7},
                       {"atomic", "atomic_ref::fetch_add", 496},
                       {"barrier", "barrier::max", (1 << 20) - 1},
                       {"bit", "bit_reverse", 1},
                       {"cmath", "ceil_div", 4},
                       {"discard_memory", "discard_memory", 1},
                       {"functional", "maximum", 7},
                       {"latch", "latch::try_wait", 1},
                       {"mdspan", "restrict_mdspan", 10},
                       {"numeric", "overflow_cast", 1},
                       {"pipeline", "pipeline, memcpy_async", 7},
                       {"ptx", "ptx::get_sreg_laneid", 7},
                       {"semaphore", "binary_semaphore", 1},
                       {"type_traits", "is_floating_point_v", 1},
                       {"version", "CCCL_VERSION", 3},
                       {"warp", "device::warp_shuffle_idx", 5},
                       {"work_stealing", "for_each_canceled_block", 1}};
    std::vector<int> in(32);
    for (int i = 0; i < 32; ++i) in[i] = i;
    lockstep::device_buffer<int> d_in(in), d_out(headers);
    lockstep::device_buffer<unsigned char> d_junk(128);  // cudaMalloc aligns to 256
    d_out.fill_bytes(0xFF);
    use_headers<<<1, 32>>>(d_in.data(), d_junk.data(), d_out.data());
    lockstep::check(cudaGetLastError());
    const cuda::stream_ref stream(static_cast<cudaStream_t>(nullptr));
    stream.wait();
    const std::vector<int> out = d_out.to_host();

    bool right = stream.ready();
    std::printf("%-20s%-28s%s\n", "<cuda/...>", "cuda::...", "value");
    for (int i = 0; i < headers; ++i) {
        std::printf("%-20s%-28s%d\n", rows[i].header, rows[i].entity, out[i]);
        right = right && out[i] == rows[i].expected;
    }
    std::printf("%-20s%-28s%s\n", "stream_ref, host", "stream_ref::ready",
                stream.ready() ? "yes" : "no");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
