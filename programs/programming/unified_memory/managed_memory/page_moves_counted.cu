// Do the pages of managed memory really move? CUPTI, the library of the profilers,
// counts the bytes that the driver moves between CPU and GPU, and the page faults that
// made it move them. The CPU writes an array, the GPU reads it twice, the CPU reads it,
// and the GPU reads it again; after each step the counters are read.

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <utility>

#include <cupti.h>

#include <lockstep/command_line.hpp>
#include <lockstep/cupti.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int page_ints = 4096 / sizeof(int);  // the CPU's pages have 4 KiB

// [keep]
/// What the driver did since the counts were last set to zero.
struct counts {
    std::uint64_t bytes_to_gpu;
    std::uint64_t bytes_to_cpu;
    std::uint64_t gpu_fault_groups;
    std::uint64_t cpu_faults;
};

/// The counts, which CUPTI's thread adds to and the program reads.
struct shared_counts {
    std::mutex guard;
    counts now{};
};

/// The one object of its kind; CUPTI's functions take no pointer to it.
shared_counts& shared() {
    static shared_counts all;
    return all;
}

/// Adds one record to the counts.
/// @param record  a record of the kind that counts unified memory
void keep(const CUpti_ActivityUnifiedMemoryCounter3& record) {
    counts& now = shared().now;
    switch (record.counterKind) {
        case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD:
            now.bytes_to_gpu += record.value;
            break;
        case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH:
            now.bytes_to_cpu += record.value;
            break;
        case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT:
            ++now.gpu_fault_groups;
            break;
        case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT:
            ++now.cpu_faults;
            break;
        default: break;
    }
}
// [/keep]

/// CUPTI asks for a buffer to write records into.
/// @param buffer       receives the buffer
/// @param size         receives its size in bytes
/// @param max_records  receives 0: as many records as fit
void CUPTIAPI buffer_wanted(std::uint8_t** buffer, std::size_t* size,
                            std::size_t* max_records) {
    constexpr std::size_t bytes = std::size_t(1) << 20;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, bytes));
    *size = *buffer ? bytes : 0;
    *max_records = 0;
}

/// CUPTI hands a buffer back, with records in it.
/// @param buffer  the buffer
/// @param valid   bytes in it that hold records
void CUPTIAPI buffer_full(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                          std::size_t valid) {
    const std::lock_guard<std::mutex> lock(shared().guard);
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        if (record->kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER)
            keep(*reinterpret_cast<CUpti_ActivityUnifiedMemoryCounter3*>(record));
    std::free(buffer);
}

// [start]
/// Asks CUPTI to count what happens to managed memory on device 0.
/// @return what the request returned; some systems do not offer these counters
CUptiResult start_counting() {
    using kind = CUpti_ActivityUnifiedMemoryCounterKind;
    CUpti_ActivityUnifiedMemoryCounterConfig config[4];
    const kind kinds[4] = {
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
        CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT};
    for (int i = 0; i < 4; ++i)
        config[i] = {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE,
                     kinds[i], 0, 1};
    lockstep::check(cuptiActivityRegisterCallbacks(buffer_wanted, buffer_full));
    const CUptiResult configured =
        cuptiActivityConfigureUnifiedMemoryCounter(config, 4);
    if (configured != CUPTI_SUCCESS) return configured;
    return cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
}
// [/start]

// [read]
/// The counts since the last call. Waits for the GPU first.
counts read_counts() {
    lockstep::check(cudaDeviceSynchronize());
    lockstep::check(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
    const std::lock_guard<std::mutex> lock(shared().guard);
    return std::exchange(shared().now, {});
}
// [/read]

/// Adds up all elements; the sum wraps.
/// @param n     number of elements
/// @param data  n values
/// @param sum   one value, 0 before the first call
__global__ void add_up(int n, const unsigned* data, unsigned* sum) {
    const int step = gridDim.x * blockDim.x;
    unsigned mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        mine += data[i];
    atomicAdd(sum, mine);
}

/// Prints what one step moved.
/// @param to_gpu  label of the bytes that went to the GPU
/// @param to_cpu  label of the bytes that went to the CPU
/// @param step    the counts of the step
void report_step(const char* to_gpu, const char* to_cpu, const counts& step) {
    constexpr double mib = 1 << 20;
    lockstep::report(to_gpu, lockstep::measured{step.bytes_to_gpu / mib}, "MiB");
    lockstep::report(to_cpu, lockstep::measured{step.bytes_to_cpu / mib}, "MiB");
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int mib = options.integer("mib", 64, 1, 512);
    enum { none, prefetch, read_mostly, stay_on_cpu };
    const int hint =
        options.choice("hint", {"none", "prefetch", "read-mostly", "stay-on-cpu"});
    options.finish();
    int devices = 0;
    // starts the driver, makes no context
    lockstep::check(cudaGetDeviceCount(&devices));
    const CUptiResult available = start_counting();
    lockstep::require_device();
    if (available != CUPTI_SUCCESS) {
        const char* reason = "unknown";
        lockstep::check(cuptiGetResultString(available, &reason));
        lockstep::report("counters not available", reason);
        return EXIT_SUCCESS;
    }

    const int n = (mib << 20) / static_cast<int>(sizeof(unsigned));
    const std::size_t bytes = n * sizeof(unsigned);
    unsigned* data = nullptr;
    unsigned* d_sum = nullptr;
    lockstep::check(cudaMallocManaged(&data, bytes));
    lockstep::check(cudaMalloc(&d_sum, sizeof *d_sum));
    lockstep::check(cudaMemset(d_sum, 0, sizeof *d_sum));
    const auto gpu_pass = [&] {
        constexpr int blocks = 264;  // 2 for each SM of an H200; any number is right
        add_up<<<blocks, 512>>>(n, data, d_sum);
        lockstep::check(cudaGetLastError());
        return read_counts();
    };
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) {
        data[i] = i % 1021;  // first touch on the CPU
        sum += data[i];
    }
    if (hint == read_mostly)
        lockstep::check(cudaMemAdvise(data, bytes, cudaMemAdviseSetReadMostly, gpu));
    if (hint == stay_on_cpu) {
        lockstep::check(
            cudaMemAdvise(data, bytes, cudaMemAdviseSetPreferredLocation, cpu));
        lockstep::check(cudaMemAdvise(data, bytes, cudaMemAdviseSetAccessedBy, gpu));
    }
    read_counts();  // what came before does not count

    // [steps]
    if (hint == prefetch)
        lockstep::check(cudaMemPrefetchAsync(data, bytes, gpu, 0, nullptr));
    const counts prefetched = read_counts();
    const counts first = gpu_pass();
    const counts second = gpu_pass();
    unsigned touched = 0;
    for (int i = 0; i < n; i += page_ints) touched += data[i];  // one int a page
    const counts by_cpu = read_counts();
    const counts third = gpu_pass();
    // [/steps]

    if (hint == prefetch)
        report_step("prefetch: to GPU", "prefetch: to CPU", prefetched);
    report_step("GPU, first pass: to GPU", "GPU, first pass: to CPU", first);
    lockstep::report("GPU, first pass: faults",
                     lockstep::counted{static_cast<long long>(first.gpu_fault_groups)});
    report_step("GPU, second pass: to GPU", "GPU, second pass: to CPU", second);
    report_step("CPU reads: to GPU", "CPU reads: to CPU", by_cpu);
    lockstep::report("CPU reads: faults",
                     lockstep::counted{static_cast<long long>(by_cpu.cpu_faults)});
    report_step("GPU, third pass: to GPU", "GPU, third pass: to CPU", third);
    unsigned expected_touched = 0;
    for (int i = 0; i < n; i += page_ints) expected_touched += i % 1021;
    unsigned gpu_sum = 0;
    lockstep::check(cudaMemcpy(&gpu_sum, d_sum, sizeof gpu_sum, cudaMemcpyDefault));
    const bool right = gpu_sum == 3 * sum && touched == expected_touched;
    lockstep::report("values right", right);
    lockstep::check(cudaFree(data));
    lockstep::check(cudaFree(d_sum));
    // without a hint the first pass of the GPU must move every byte of the array
    const bool moved = hint != none || first.bytes_to_gpu >= bytes;
    return right && moved ? EXIT_SUCCESS : EXIT_FAILURE;
}
