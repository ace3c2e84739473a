// Which fences does a domain help? __threadfence_system() is a sequentially consistent
// fence, and an acquire-release fence is a weaker one. The program measures both, and a
// release store, beside a neighbor that writes to host memory: in one domain, and with
// either of the two kernels in the remote domain.

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/shared_flag.hpp>
#include <lockstep/statistics.hpp>

constexpr int blocks = 8, block_size = 256, batches = 16;  // of the neighbor
constexpr int host_words = blocks * block_size * batches;
constexpr int repeats = 20;  // fences in one sample

/// The neighbor: writes to host memory until `stop` is set, 200 ms at most.
/// @param target   batches ints for each thread of the grid, in mapped host memory
/// @param started  raised when the first thread has written once
/// @param stop     in device memory; not 0 ends the kernel
/// @param gave_up  raised if `stop` was not set in time
__global__ void write_to_host(volatile int* target, lockstep::shared_flag* started,
                              int* stop, lockstep::shared_flag* gave_up) {
    const unsigned long long begin = lockstep::now_ns();
    const cuda::atomic_ref<int, cuda::thread_scope_system> stop_now(*stop);
    const int threads = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    while (stop_now.load(cuda::memory_order_relaxed) == 0) {
        for (int batch = 0; batch < batches; ++batch)
            target[batch * threads + thread] = 1;
        if (thread == 0) started->raise();
        if (lockstep::now_ns() - begin > 200'000'000) {
            gave_up->raise();
            break;
        }
    }
}

enum class order { seq_cst, acq_rel, release };

// [victims]
/// Stores to device memory and orders that for the whole system, again and again.
/// @tparam Order  with a sequentially consistent fence, an acquire-release fence, or a
///                release store
/// @param own     two ints for each thread in device memory, written
/// @param ns      one number in device memory: time of all rounds, written
template <order Order>
__global__ void order_often(int* own, unsigned long long* ns) {
    constexpr auto system = cuda::thread_scope_system;
    volatile int* data = own;
    const cuda::atomic_ref<int, system> flag(own[blockDim.x + threadIdx.x]);
    const unsigned long long begin = lockstep::now_ns();
    for (int i = 1; i <= repeats; ++i) {
        data[threadIdx.x] = i;
        if constexpr (Order == order::seq_cst)
            __threadfence_system();
        else if constexpr (Order == order::acq_rel)
            cuda::atomic_thread_fence(cuda::memory_order_acq_rel, system);
        else
            flag.store(i, cuda::memory_order_release);
    }
    if (threadIdx.x == 0) *ns = lockstep::now_ns() - begin;
}
// [/victims]

/// Lets the neighbor stop.
/// @param stop  in device memory, written
__global__ void say_stop(int* stop) {
    cuda::atomic_ref<int, cuda::thread_scope_system>(*stop).store(
        1, cuda::memory_order_relaxed);
}

/// Launches a kernel into a domain.
template <class... Parameters, class... Arguments>
void launch_in(cudaLaunchMemSyncDomain domain, cudaStream_t stream, int grid, int block,
               void (*kernel)(Parameters...), Arguments... arguments) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeMemSyncDomain;
    attribute.val.memSyncDomain = domain;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(grid);
    config.blockDim = dim3(block);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    lockstep::check(cudaLaunchKernelEx(&config, kernel, arguments...));
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 21, 1, 1000);
    options.finish();
    lockstep::require_device(90);

    lockstep::device_buffer<int> own(std::vector<int>(64, 0)), stop(1);
    lockstep::device_buffer<unsigned long long> d_ns(1);
    int* target = nullptr;
    lockstep::shared_flag* flags = nullptr;  // started, gave up
    lockstep::check(cudaMallocHost(&target, host_words * sizeof(int)));
    lockstep::check(cudaMallocHost(&flags, 2 * sizeof *flags));
    const lockstep::owned_stream here, beside;
    constexpr auto by_default = cudaLaunchMemSyncDomainDefault;
    constexpr auto remote = cudaLaunchMemSyncDomainRemote;
    lockstep::load_kernels(write_to_host, say_stop, order_often<order::seq_cst>,
                           order_often<order::acq_rel>, order_often<order::release>);
    int failures = 0;

    using victim = void (*)(int*, unsigned long long*);
    // the median time of one round of a victim, in microseconds
    const auto time_of = [&](victim kernel, bool alone, cudaLaunchMemSyncDomain own_one,
                             cudaLaunchMemSyncDomain of_neighbor) {
        std::vector<double> samples;
        for (int round = -1; round < rounds; ++round) {  // the first one warms up
            stop.fill_bytes(0);
            lockstep::check(cudaDeviceSynchronize());
            flags[0] = flags[1] = lockstep::shared_flag{};
            if (!alone)
                launch_in(of_neighbor, beside, blocks, block_size, write_to_host,
                          target, &flags[0], stop.data(), &flags[1]);
            const auto limit =
                std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
            while (!alone && !flags[0].raised() &&
                   std::chrono::steady_clock::now() < limit) {
            }
            launch_in(own_one, here, 1, 32, kernel, own.data(), d_ns.data());
            say_stop<<<1, 1, 0, here>>>(stop.data());
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaDeviceSynchronize());
            failures += !alone && (!flags[0].raised() || flags[1].raised());
            if (round >= 0) samples.push_back(1e-3 * d_ns.to_host()[0] / repeats);
        }
        return lockstep::summarize(samples).median_ms;
    };

    const auto measure = [&](const std::string& name, victim kernel) {
        const auto show = [&](const char* setting, double us) {
            lockstep::report((name + setting).c_str(), lockstep::measured{us}, "us");
        };
        show(": alone", time_of(kernel, true, by_default, by_default));
        show(": same domain", time_of(kernel, false, by_default, by_default));
        show(": neighbor remote", time_of(kernel, false, by_default, remote));
        show(": victim remote", time_of(kernel, false, remote, by_default));
    };
    measure("seq_cst", order_often<order::seq_cst>);
    measure("acq_rel", order_often<order::acq_rel>);
    measure("release", order_often<order::release>);
    lockstep::report("rounds without overlap", failures);
    lockstep::check(cudaFreeHost(target));
    lockstep::check(cudaFreeHost(flags));
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
