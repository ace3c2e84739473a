// A short, urgent kernel is launched while a long one runs on all SMs. How long until
// it has ended? Four ways: both with the same priority, the urgent one with a higher
// priority, each in a green context of its own, and the long one with a smaller grid.

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/green_context.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/shared_flag.hpp>
#include <lockstep/statistics.hpp>

/// When the blocks of a kernel ran, in nanoseconds of the GPU's clock.
struct span {
    unsigned long long begin;  ///< of its first block
    unsigned long long end;    ///< of its last block
};

// [kernels]
/// Stands for a long kernel: each unit of its work occupies half an SM for 400 us.
/// @param units    units of work, divided among the blocks
/// @param when     one span in device memory
/// @param started  in pinned host memory, raised by the first block
__global__ void heavy(int units, span* when, lockstep::shared_flag* started) {
    if (threadIdx.x == 0) atomicMin(&when->begin, lockstep::now_ns());
    if (blockIdx.x == 0 && threadIdx.x == 0) started->raise();
    for (int unit = blockIdx.x; unit < units; unit += gridDim.x)
        lockstep::busy_wait(400'000);
    if (threadIdx.x == 0) atomicMax(&when->end, lockstep::now_ns());
}
/// Stands for the urgent kernel: a few blocks of 20 us.
/// @param when  one span in device memory
__global__ void critical(span* when) {
    if (threadIdx.x == 0) atomicMin(&when->begin, lockstep::now_ns());
    lockstep::busy_wait(20'000);
    if (threadIdx.x == 0) atomicMax(&when->end, lockstep::now_ns());
}
// [/kernels]

using host_clock = std::chrono::steady_clock;

/// Microseconds from one moment on the host to another one.
double us_between(host_clock::time_point begin, host_clock::time_point end) {
    return std::chrono::duration<double, std::micro>(end - begin).count();
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 20, 1, 100);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    // [split]
    CUdevResource all = lockstep::all_sms();
    CUdevResource parts[2]{};  // for the urgent kernel, and what is left
    unsigned count = 1;
    lockstep::check(cuDevSmResourceSplitByCount(parts, &count, &all, &parts[1], 0, 16));
    const lockstep::green_context few(&parts[0]);
    const lockstep::green_context most(&parts[1]);
    // [/split]

    const int places = 2 * int(all.sm.smCount);  // for blocks of 1,024 threads
    const int units = 8 * places;
    // [streams]
    int least = 0;
    int greatest = 0;
    lockstep::check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t plain[3]{};
    for (int i = 0; i < 3; ++i)
        lockstep::check(cudaStreamCreateWithPriority(&plain[i], cudaStreamNonBlocking,
                                                     i < 2 ? least : greatest));
    const struct {
        const char* name;
        const char* label;
        cudaStream_t heavy;
        cudaStream_t critical;
        int blocks;  // of the long kernel
    } settings[] = {{"equal", "equal priorities", plain[0], plain[1], units},
                    {"priority", "higher priority", plain[0], plain[2], units},
                    {"green", "green contexts", most.stream(), few.stream(), units},
                    {"grid", "smaller grid", plain[0], plain[1], places - 16}};
    // [/streams]

    lockstep::load_kernels(heavy, critical);
    lockstep::device_buffer<span> spans(2);
    lockstep::shared_flag* started = nullptr;
    lockstep::check(cudaMallocHost(&started, sizeof *started));
    lockstep::csv_file timeline(csv, "row,kind,name,~start_us,~end_us");
    bool right = true;
    for (const auto& setting : settings) {
        std::vector<double> latencies_ms;
        std::vector<double> durations_ms;
        span when[2]{};
        double asked_us = 0;
        for (int round = -1; round < rounds; ++round) {  // the first is a warm-up
            // [round]
            const std::vector<span> none{{~0ull, 0}, {~0ull, 0}};
            lockstep::check(cudaMemcpy(spans.data(), none.data(), spans.bytes(),
                                       cudaMemcpyHostToDevice));
            *started = lockstep::shared_flag{};
            heavy<<<setting.blocks, 1024, 0, setting.heavy>>>(units, spans.data(),
                                                              started);
            lockstep::check(cudaGetLastError());
            const auto launched = host_clock::now();
            while (!started->raised() &&
                   us_between(launched, host_clock::now()) < 1e6) {
            }
            const auto running = host_clock::now();
            auto asked = running;  // 500 us later, a quarter into the second wave
            while (us_between(running, asked) < 500) asked = host_clock::now();
            critical<<<16, 1024, 0, setting.critical>>>(spans.data() + 1);
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaStreamSynchronize(setting.critical));
            const double latency_us = us_between(asked, host_clock::now());
            // [/round]
            lockstep::check(cudaDeviceSynchronize());
            const auto found = spans.to_host();
            right = right && started->raised() && found[1].end > found[1].begin;
            asked_us = us_between(running, asked);
            if (round < 0) continue;
            latencies_ms.push_back(latency_us * 1e-3);
            durations_ms.push_back(double(found[0].end - found[0].begin) * 1e-6);
            when[0] = found[0];
            when[1] = found[1];
        }
        const auto print = [&](const char* kernel, std::vector<double> times_ms) {
            lockstep::report(
                (setting.label + std::string(kernel)).c_str(),
                lockstep::measured{1e3 * lockstep::summarize(times_ms).median_ms},
                "us");
        };
        print(", urgent", latencies_ms);
        print(", long", durations_ms);
        const auto us = [&](unsigned long long at) {
            return 1e-3 * static_cast<long long>(at - when[0].begin);
        };
        timeline.row("%s,kernel,long,0.00,%.2f", setting.name, us(when[0].end));
        timeline.row("%s 2nd,api,waits,%.2f,%.2f", setting.name, asked_us,
                     us(when[1].begin));
        timeline.row("%s 2nd,kernel,urgent,%.2f,%.2f", setting.name, us(when[1].begin),
                     us(when[1].end));
    }
    timeline.finish();
    for (cudaStream_t stream : plain) lockstep::check(cudaStreamDestroy(stream));
    lockstep::check(cudaFreeHost(started));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
