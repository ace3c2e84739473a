#pragma once
/// @file
/// Counts what the driver does to managed memory: bytes moved, page faults, and more.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <utility>

#include <cupti.h>

#include <lockstep/cupti.hpp>

namespace lockstep {

/// What the driver did to managed memory since the last reading.
struct page_counts {
    long long bytes_to_gpu;    ///< moved or copied from CPU to GPU memory
    long long bytes_to_cpu;    ///< the other way
    long long moves_to_gpu;    ///< transfers to the GPU, each of one range
    long long moves_to_cpu;    ///< the other way
    long long smallest_bytes;  ///< of the smallest transfer to the GPU; 0 if none
    long long largest_bytes;   ///< of the largest transfer to the GPU
    long long gpu_faults;      ///< reported groups of page faults of the GPU
    long long cpu_faults;      ///< reported page faults of the CPU
    long long thrashings;      ///< times the driver saw a page go back and forth
    long long remote_maps;     ///< ranges mapped for a processor that holds them not

    /// Bytes to the GPU, in MiB.
    double mib_to_gpu() const { return bytes_to_gpu / double(1 << 20); }
    /// Bytes to the CPU, in MiB.
    double mib_to_cpu() const { return bytes_to_cpu / double(1 << 20); }
};

/// The counts, which CUPTI's thread adds to and the program reads.
class page_counter {
public:
    /// Starts counting on device 0. Call it before the program makes a CUDA context.
    /// @return what CUPTI said; some systems do not offer these counters
    static CUptiResult start() {
        int devices = 0;
        check(cudaGetDeviceCount(&devices));  // starts the driver, makes no context
        using config = CUpti_ActivityUnifiedMemoryCounterConfig;
        const CUpti_ActivityUnifiedMemoryCounterKind kinds[] = {
            CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
            CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
            CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
            CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
            CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING,
            CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_REMOTE_MAP};
        constexpr int count = sizeof kinds / sizeof *kinds;
        config all[count];
        for (int i = 0; i < count; ++i)
            all[i] = {CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE,
                      kinds[i], 0, 1};
        check(cuptiActivityRegisterCallbacks(buffer_wanted, buffer_full));
        const CUptiResult configured =
            cuptiActivityConfigureUnifiedMemoryCounter(all, count);
        if (configured != CUPTI_SUCCESS) return configured;
        return cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
    }

    /// The counts since the last call. Waits for the GPU first.
    static page_counts read() {
        check(cudaDeviceSynchronize());
        check(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
        const std::lock_guard<std::mutex> lock(all().guard_);
        return std::exchange(all().now_, {});
    }

private:
    // CUPTI's functions take no pointer to an object, so there is one object only
    static page_counter& all() {
        static page_counter one;
        return one;
    }

    void keep(const CUpti_ActivityUnifiedMemoryCounter3& record) {
        const auto value = static_cast<long long>(record.value);
        switch (record.counterKind) {
            case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD:
                now_.bytes_to_gpu += value;
                now_.smallest_bytes =
                    now_.moves_to_gpu ? std::min(now_.smallest_bytes, value) : value;
                now_.largest_bytes = std::max(now_.largest_bytes, value);
                ++now_.moves_to_gpu;
                break;
            case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH:
                now_.bytes_to_cpu += value;
                ++now_.moves_to_cpu;
                break;
            case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT:
                ++now_.gpu_faults;
                break;
            case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT:
                ++now_.cpu_faults;
                break;
            case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING:
                ++now_.thrashings;
                break;
            case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_REMOTE_MAP:
                ++now_.remote_maps;
                break;
            default: break;
        }
    }

    static void CUPTIAPI buffer_wanted(std::uint8_t** buffer, std::size_t* size,
                                       std::size_t* max_records) {
        constexpr std::size_t bytes = std::size_t(1) << 20;
        *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, bytes));
        *size = *buffer ? bytes : 0;
        *max_records = 0;  // as many as fit
    }

    static void CUPTIAPI buffer_full(CUcontext, std::uint32_t, std::uint8_t* buffer,
                                     std::size_t, std::size_t valid) {
        const std::lock_guard<std::mutex> lock(all().guard_);
        CUpti_Activity* record = nullptr;
        while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
            if (record->kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER)
                all().keep(
                    *reinterpret_cast<CUpti_ActivityUnifiedMemoryCounter3*>(record));
        std::free(buffer);
    }

    std::mutex guard_;
    page_counts now_{};
};

}  // namespace lockstep
