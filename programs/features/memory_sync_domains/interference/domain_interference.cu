// How much longer does a fence take beside a kernel that writes to host memory, and
// does a domain of its own for that kernel help? The neighbor writes through the host
// link all the time. Beside it run fences of two scopes, and short kernels, whose end
// is a fence as well.

#include <chrono>
#include <cstdlib>
#include <vector>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/shared_flag.hpp>
#include <lockstep/statistics.hpp>

constexpr int most_blocks = 64, block_size = 256, batches = 16;
constexpr int host_words = most_blocks * block_size * batches;
constexpr int repeats = 20;  // fences, or kernels, in one sample

// [neighbor]
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
// [/neighbor]

// [victims]
/// Stores to device memory and fences, again and again.
/// @param system  whether the fences have system scope, or device scope
/// @param own     one int for each thread in device memory, written
/// @param ns      one number in device memory: time of all fences, written
__global__ void fence_often(bool system, volatile int* own, unsigned long long* ns) {
    const unsigned long long begin = lockstep::now_ns();
    for (int i = 1; i <= repeats; ++i) {
        own[threadIdx.x] = i;
        if (system)
            __threadfence_system();
        else
            __threadfence();
    }
    if (threadIdx.x == 0) *ns = lockstep::now_ns() - begin;
}

/// Adds 1 to each number, and ends.
/// @param own  one int for each thread in device memory, added to
__global__ void store_and_end(int* own) { own[threadIdx.x] += 1; }
// [/victims]

/// Lets the neighbor stop.
/// @param stop  in device memory, written
__global__ void say_stop(int* stop) {
    cuda::atomic_ref<int, cuda::thread_scope_system>(*stop).store(
        1, cuda::memory_order_relaxed);
}

/// What runs beside the neighbor.
enum class victim { system_fence, device_fence, short_kernel };

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 21, 1, 1000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    lockstep::device_buffer<int> own(std::vector<int>(block_size, 0)), stop(1);
    lockstep::device_buffer<unsigned long long> d_ns(1);
    int* target = nullptr;
    lockstep::shared_flag* flags = nullptr;  // started, gave up
    lockstep::check(cudaMallocHost(&target, host_words * sizeof(int)));
    lockstep::check(cudaMallocHost(&flags, 2 * sizeof *flags));
    const lockstep::owned_stream here, beside;
    const lockstep::owned_event begin, end;
    lockstep::load_kernels(write_to_host, fence_often, store_and_end, say_stop);
    int failures = 0;

    // [launch]
    const auto start_neighbor = [&](int blocks, cudaLaunchMemSyncDomain domain) {
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeMemSyncDomain;
        attribute.val.memSyncDomain = domain;
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(block_size);
        config.stream = beside;
        config.attrs = &attribute;
        config.numAttrs = 1;
        lockstep::check(cudaLaunchKernelEx(&config, write_to_host, target, &flags[0],
                                           stop.data(), &flags[1]));
    };
    // [/launch]

    // the median time of one fence or short kernel, in microseconds
    const auto time_of = [&](victim which, int blocks, cudaLaunchMemSyncDomain domain) {
        std::vector<double> samples;
        for (int round = -1; round < rounds; ++round) {  // the first one warms up
            stop.fill_bytes(0);
            lockstep::check(cudaDeviceSynchronize());
            flags[0] = flags[1] = lockstep::shared_flag{};
            if (blocks > 0) start_neighbor(blocks, domain);
            const auto limit =
                std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
            while (blocks > 0 && !flags[0].raised() &&
                   std::chrono::steady_clock::now() < limit) {
            }
            // [measure]
            lockstep::check(cudaEventRecord(begin, here));
            if (which == victim::short_kernel)
                for (int i = 0; i < repeats; ++i)
                    store_and_end<<<1, block_size, 0, here>>>(own.data());
            else
                fence_often<<<1, 32, 0, here>>>(which == victim::system_fence,
                                                own.data(), d_ns.data());
            lockstep::check(cudaEventRecord(end, here));
            say_stop<<<1, 1, 0, here>>>(stop.data());
            // [/measure]
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaDeviceSynchronize());
            failures += blocks > 0 && (!flags[0].raised() || flags[1].raised());
            float ms = 0;
            lockstep::check(cudaEventElapsedTime(&ms, begin, end));
            const double us =
                which == victim::short_kernel ? 1e3 * ms : 1e-3 * d_ns.to_host()[0];
            if (round >= 0) samples.push_back(us / repeats);
        }
        return lockstep::summarize(samples).median_ms;
    };

    struct row {
        victim which;
        const char* alone;
        const char* same;
        const char* other;
    };
    const std::vector<row> rows{
        {victim::system_fence, "system fence, alone", "system fence, same domain",
         "system fence, other domain"},
        {victim::device_fence, "device fence, alone", "device fence, same domain",
         "device fence, other domain"},
        {victim::short_kernel, "short kernel, alone", "short kernel, same domain",
         "short kernel, other domain"}};
    lockstep::csv_file file(csv, "victim,blocks,~us");
    for (const row& one : rows) {
        for (int blocks = 1; blocks <= most_blocks; blocks *= 2) {
            if (!csv && blocks != 32) continue;
            const double same =
                time_of(one.which, blocks, cudaLaunchMemSyncDomainDefault);
            const double other =
                time_of(one.which, blocks, cudaLaunchMemSyncDomainRemote);
            file.row("\"%s\",%d,%.3f", one.same, blocks, same);
            file.row("\"%s\",%d,%.3f", one.other, blocks, other);
            if (blocks != 32) continue;
            lockstep::report(one.alone,
                             lockstep::measured{
                                 time_of(one.which, 0, cudaLaunchMemSyncDomainDefault)},
                             "us");
            lockstep::report(one.same, lockstep::measured{same}, "us");
            lockstep::report(one.other, lockstep::measured{other}, "us");
        }
    }
    file.finish();
    lockstep::report("rounds without overlap", failures);
    lockstep::check(cudaFreeHost(target));
    lockstep::check(cudaFreeHost(flags));
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
