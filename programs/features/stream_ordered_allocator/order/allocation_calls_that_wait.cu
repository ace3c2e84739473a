// Which calls that allocate or free make the host wait, or hold up other streams? One
// stream is held while the host makes a call; then a kernel goes into a second stream.
// The calls of the stream-ordered allocator let both go on here; cudaFree of memory
// from cudaMalloc makes the host wait.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include <lockstep/command_line.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

constexpr std::size_t bytes = 64 << 20;

/// Does nothing.
__global__ void nothing() {}

/// What a call did while one stream was held.
struct effect {
    bool host_waited;  ///< the call returned only after the held stream went on
    bool other_ran;  ///< a kernel in the other stream ran to its end meanwhile
};

// [look]
/// Makes a call while a stream is held.
/// @param held   the stream that is held
/// @param other  an idle stream, for the kernel after the call
/// @param call   what is looked at
effect effect_of(cudaStream_t held, cudaStream_t other,
                 const std::function<void()>& call) {
    using clock = std::chrono::steady_clock;
    lockstep::stream_latch latch;
    lockstep::check(cudaDeviceSynchronize());
    latch.hold(held, 300'000'000);  // gives up after about 0.15 s
    call();
    effect found{!latch.closed(), false};
    nothing<<<1, 1, 0, other>>>();
    lockstep::check(cudaGetLastError());
    const auto until = clock::now() + std::chrono::milliseconds(20);
    while (latch.closed() && !found.other_ran && clock::now() < until)
        found.other_ran = cudaStreamQuery(other) == cudaSuccess && latch.closed();
    latch.open();
    lockstep::check(cudaDeviceSynchronize());
    return found;
}
// [/look]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    const lockstep::owned_stream held, other;
    lockstep::load_kernels(nothing);
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool = nullptr;
    cudaMemPool_t second_pool = nullptr;
    void* memory = nullptr;
    // [operations]
    const auto take = [&] {
        lockstep::check(cudaMallocFromPoolAsync(&memory, bytes, pool, other));
    };
    const auto give = [&] { lockstep::check(cudaFreeAsync(memory, other)); };
    const auto keep_memory = [&](std::uint64_t threshold) {
        lockstep::check(
            cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    };
    const auto wait = [&] { lockstep::check(cudaStreamSynchronize(other)); };
    // [/operations]
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    // In this order: each call finds what the calls before it left.
    // [calls]
    const struct {
        const char* name;
        std::function<void()> call;
    } calls[] = {
        {"cudaMalloc", [&] { lockstep::check(cudaMalloc(&memory, bytes)); }},
        {"cudaFree", [&] { lockstep::check(cudaFree(memory)); }},
        {"cudaMallocAsync, pool grows", take},
        {"cudaFreeAsync", give},
        {"cudaMallocAsync, pool grows again", take},
        {"cudaFreeAsync, threshold raised",
         [&] {
             keep_memory(UINT64_MAX);
             give();
         }},
        {"cudaMallocAsync, from the pool", take},
        {"cudaFree, of pool memory", [&] { lockstep::check(cudaFree(memory)); }},
        {"cudaMemPoolTrimTo", [&] { lockstep::check(cudaMemPoolTrimTo(pool, 0)); }},
        {"release at a synchronization",
         [&] {
             take();
             give();
             keep_memory(0);
             wait();
         }},
        {"cudaMemPoolCreate",
         [&] { lockstep::check(cudaMemPoolCreate(&second_pool, &props)); }},
        {"cudaMemPoolDestroy",
         [&] { lockstep::check(cudaMemPoolDestroy(second_pool)); }},
    };
    // [/calls]
    bool allocator_never_waits = true;
    std::printf("%-36s%-14s%s\n", "call", "host waited", "other stream ran");
    for (const auto& [name, call] : calls) {
        const effect found = effect_of(held, other, call);
        std::printf("%-36s%-14s%s\n", name, found.host_waited ? "yes" : "no",
                    found.other_ran ? "yes" : "no");
        if (&call >= &calls[2].call && &call <= &calls[6].call)
            allocator_never_waits =
                allocator_never_waits && !found.host_waited && found.other_ran;
    }
    lockstep::check(cudaMemPoolDestroy(pool));
    return untimed || allocator_never_waits ? EXIT_SUCCESS : EXIT_FAILURE;
}
