// Kernels A, B and C run in one stream, and C reads what A wrote. B needs nothing of A.
// Must it wait all the same? The wait in C is promised to cover its direct dependency,
// B, and nothing else; so B should wait, whatever a run shows.

#include <cstdlib>
#include <vector>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// When a kernel ran, in nanoseconds of the GPU's clock.
struct stamps {
    unsigned long long begin;  ///< of its earliest block
    unsigned long long end;  ///< of its latest
};

/// A word that one kernel may store while another loads it.
using shared_word = cuda::atomic_ref<int, cuda::thread_scope_device>;

// [link]
/// One link of the chain: triggers, waits or not, works, reads what link 0 wrote, and
/// stores its own number plus one.
/// @param number   position in the chain
/// @param wait     whether it waits
/// @param work_ns  time of its work
/// @param words    one int for each link and block in device memory, written
/// @param found    one int for each block in device memory: what this link read
/// @param when     one for each link in device memory
__global__ void link(int number, bool wait, unsigned long long work_ns, int* words,
                     int* found, stamps* when) {
    atomicMin(&when[number].begin, lockstep::now_ns());
    cudaTriggerProgrammaticLaunchCompletion();
    if (wait) cudaGridDependencySynchronize();
    lockstep::busy_wait(work_ns);
    if (threadIdx.x == 0) {
        found[blockIdx.x] =
            shared_word(words[blockIdx.x]).load(cuda::memory_order_relaxed);
        shared_word(words[number * gridDim.x + blockIdx.x])
            .store(number + 1, cuda::memory_order_relaxed);
    }
    atomicMax(&when[number].end, lockstep::now_ns());
}
// [/link]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 20, 1, 1000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    constexpr int links = 3;
    constexpr int blocks = 16;
    lockstep::device_buffer<int> words(links * blocks);
    lockstep::device_buffer<int> found(blocks);
    lockstep::device_buffer<stamps> times(links);
    const lockstep::owned_stream stream;
    lockstep::csv_file timeline(csv, "row,kind,name,~start_us,~end_us");
    const auto run = [&](const char* row, bool b_waits, bool c_early) {
        long long stale = 0;
        for (int round = 0; round < rounds; ++round) {
            words.fill_bytes(0);
            const std::vector<stamps> none(links, stamps{~0ULL, 0});
            lockstep::check(cudaMemcpy(times.data(), none.data(), times.bytes(),
                                       cudaMemcpyHostToDevice));
            lockstep::check(cudaDeviceSynchronize());
            // [chain]
            cudaLaunchAttribute early{};
            early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
            early.val.programmaticStreamSerializationAllowed = 1;
            cudaLaunchConfig_t config{};
            config.gridDim = dim3(blocks);
            config.blockDim = dim3(32);
            config.stream = stream;
            config.attrs = &early;
            config.numAttrs = 1;
            const auto launch = [&](int number, bool wait, unsigned long long work_ns) {
                lockstep::check(cudaLaunchKernelEx(&config, link, number, wait, work_ns,
                                                   words.data(), found.data(),
                                                   times.data()));
            };
            launch(0, true, 60'000);  // A is long
            launch(1, b_waits, 5'000);  // B does not use what A wrote
            config.numAttrs = c_early ? 1 : 0;
            launch(2, true, 5'000);  // C does
            // [/chain]
            lockstep::check(cudaStreamSynchronize(stream));
            for (const int value : found.to_host()) stale += value != 1;
            if (round + 1 < rounds) continue;
            const std::vector<stamps> when = times.to_host();
            for (int i = 0; i < links; ++i)
                timeline.row("%s %c,kernel,%c,%.2f,%.2f", row, "ABC"[i], "ABC"[i],
                             1e-3 * (when[i].begin - when[0].begin),
                             1e-3 * (when[i].end - when[0].begin));
        }
        return stale;
    };
    const long long with = run("B waits", true, true);
    const long long without = run("no wait", false, true);
    const long long plain = run("plain C", false, false);
    timeline.finish();
    lockstep::report("words read by C", blocks * rounds);
    lockstep::report("stale, B waits", with);
    lockstep::report("stale, B does not wait", lockstep::counted{without});
    lockstep::report("the same, plain C", lockstep::counted{plain});
    return with == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
