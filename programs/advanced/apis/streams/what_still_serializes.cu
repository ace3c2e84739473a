// One stream is held up. The host makes a call, then launches a kernel into another
// stream. Did the call itself wait? Does the kernel run while the first stream is held
// up? Tried for fourteen calls, with blocking and with non-blocking streams.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

/// Does nothing.
__global__ void work() {}

/// What happened around one call.
struct outcome {
    /// the call returned only when the latch gave up
    bool host_waited;
    /// the second stream's kernel ended while the first stream was held up
    bool overlapped;
};

// [experiment]
/// Makes a call between the work of two streams.
/// @param flags  of the streams
/// @param call   what the host does in between
outcome between(unsigned flags, const std::function<void()>& call) {
    cudaStream_t first = nullptr;
    cudaStream_t second = nullptr;
    lockstep::check(cudaStreamCreateWithFlags(&first, flags));
    lockstep::check(cudaStreamCreateWithFlags(&second, flags));
    lockstep::check(cudaDeviceSynchronize());
    outcome found{};
    {
        lockstep::stream_latch latch;
        latch.hold(first, 300'000'000);  // cycles: opens after about 0.15 s
        call();
        found.host_waited = !latch.closed();
        work<<<1, 32, 0, second>>>();
        lockstep::check(cudaGetLastError());
        const auto begin = std::chrono::steady_clock::now();
        const auto patience = std::chrono::milliseconds(20);
        while (cudaStreamQuery(second) == cudaErrorNotReady &&
               std::chrono::steady_clock::now() - begin < patience) {
        }
        found.overlapped = cudaStreamQuery(second) == cudaSuccess && latch.closed();
        latch.open();
        lockstep::check(cudaDeviceSynchronize());
    }
    lockstep::check(cudaStreamDestroy(first));
    lockstep::check(cudaStreamDestroy(second));
    return found;
}
// [/experiment]

int main() {
    lockstep::require_device();

    lockstep::load_kernels(work);
    lockstep::device_buffer<char> a(1 << 20);
    lockstep::device_buffer<char> b(1 << 20);
    std::vector<char> pageable(1 << 20);
    cudaStream_t third = nullptr;
    lockstep::check(cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking));
    void* memory = nullptr;
    void* freed = nullptr;
    void* pinned = nullptr;
    void* pinned_freed = nullptr;
    void* pooled = nullptr;
    const auto from_pool = [&] {
        lockstep::check(cudaMallocAsync(&pooled, 1 << 20, third));
        lockstep::check(cudaStreamSynchronize(third));
    };
    const struct {
        const char* name;
        std::function<void()> prepare;
        std::function<void()> call;
    } calls[] = {
        {"nothing", [] {}, [] {}},
        {"kernel, NULL stream", [] {},
         [] {
             work<<<1, 32>>>();
             lockstep::check(cudaGetLastError());
         }},
        {"cudaMemsetAsync, NULL stream", [] {},
         [&] { lockstep::check(cudaMemsetAsync(a.data(), 0, 4096)); }},
        {"cudaMemsetAsync, third stream", [] {},
         [&] { lockstep::check(cudaMemsetAsync(a.data(), 0, 4096, third)); }},
        {"cudaMemcpy, in the device", [] {},
         [&] {
             lockstep::check(
                 cudaMemcpy(b.data(), a.data(), 4096, cudaMemcpyDeviceToDevice));
         }},
        {"cudaMemcpy, to the host", [] {},
         [&] {
             lockstep::check(
                 cudaMemcpy(pageable.data(), a.data(), 4096, cudaMemcpyDefault));
         }},
        {"cudaMalloc", [] {}, [&] { lockstep::check(cudaMalloc(&memory, 1 << 24)); }},
        {"cudaMallocHost", [] {},
         [&] { lockstep::check(cudaMallocHost(&pinned, 1 << 20)); }},
        {"cudaMallocAsync, third stream", [] {},
         [&] { lockstep::check(cudaMallocAsync(&memory, 1 << 20, third)); }},
        {"cudaFree", [&] { lockstep::check(cudaMalloc(&freed, 1 << 24)); },
         [&] { lockstep::check(cudaFree(freed)); }},
        {"cudaFreeHost",
         [&] { lockstep::check(cudaMallocHost(&pinned_freed, 1 << 20)); },
         [&] { lockstep::check(cudaFreeHost(pinned_freed)); }},
        {"cudaFree, of a memory pool", from_pool,
         [&] { lockstep::check(cudaFree(pooled)); }},
        {"cudaFreeAsync, third stream", from_pool,
         [&] { lockstep::check(cudaFreeAsync(pooled, third)); }},
        {"carveout of a kernel", [] {},
         [] {
             lockstep::check(cudaFuncSetAttribute(
                 work, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
             work<<<1, 32, 0, cudaStreamPerThread>>>();
             lockstep::check(cudaGetLastError());
         }},
    };
    bool as_known = true;
    std::printf("%-32s%-14s%-18s%s\n", "host call in between", "host waited",
                "blocking streams", "non-blocking");
    for (const auto& [name, prepare, call] : calls) {
        prepare();
        const outcome blocking = between(cudaStreamDefault, call);
        prepare();
        const outcome free = between(cudaStreamNonBlocking, call);
        const auto overlap = [](const outcome& one) {
            return one.overlapped ? "overlap" : "in turn";
        };
        const char* waited =
            blocking.host_waited ? free.host_waited ? "yes" : "if blocking" : "no";
        std::printf("%-32s%-14s%-18s%s\n", name, waited, overlap(blocking),
                    overlap(free));
        as_known = as_known && (free.host_waited || free.overlapped);
    }
    return as_known ? EXIT_SUCCESS : EXIT_FAILURE;
}
