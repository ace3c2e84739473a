#pragma once
/// @file
/// Counts, through CUPTI, what the driver does to managed memory.

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <utility>

#include <cupti.h>

#include <lockstep/check.hpp>
#include <lockstep/cupti.hpp>
#include <lockstep/page_counts.hpp>

namespace lockstep {

/// The counts, which CUPTI's thread adds to and the program reads.
class page_counter {
public:
    /// Starts counting on device 0. Call it before the program makes a CUDA context.
    /// @return what CUPTI said; some systems do not offer these counters
    static CUptiResult start() {
        int devices = 0;
        check(cudaGetDeviceCount(&devices));  // starts the driver, makes no context
        const CUpti_ActivityUnifiedMemoryCounterKind kinds[] = {
            CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD,
            CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH,
            CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT,
            CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT,
            CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING,
            CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_REMOTE_MAP};
        constexpr int count = sizeof kinds / sizeof *kinds;
        CUpti_ActivityUnifiedMemoryCounterConfig configs[count];
        for (int i = 0; i < count; ++i)
            configs[i] = {
                CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE,
                kinds[i], 0, 1};
        check(cuptiActivityRegisterCallbacks(offer_buffer, read_buffer));
        const CUptiResult configured =
            cuptiActivityConfigureUnifiedMemoryCounter(configs, count);
        if (configured != CUPTI_SUCCESS) return configured;
        return cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
    }

    /// The counts since the last call. Waits for the GPU first.
    static page_counts read() {
        check(cudaDeviceSynchronize());
        check(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));
        const std::lock_guard<std::mutex> lock(only().guard_);
        return std::exchange(only().counts_, {});
    }

private:
    // CUPTI's functions take no pointer to an object, so there is one object only
    static page_counter& only() {
        static page_counter counter;
        return counter;
    }

    static void CUPTIAPI offer_buffer(std::uint8_t** buffer, std::size_t* size,
                                      std::size_t* max_records) {
        constexpr std::size_t bytes = std::size_t(1) << 20;
        *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, bytes));
        *size = *buffer ? bytes : 0;
        *max_records = 0;  // as many as fit
    }

    static void CUPTIAPI read_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer,
                                     std::size_t, std::size_t valid) {
        const std::lock_guard<std::mutex> lock(only().guard_);
        CUpti_Activity* record = nullptr;
        while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
            if (record->kind != CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER) continue;
            const auto& counter =
                *reinterpret_cast<CUpti_ActivityUnifiedMemoryCounter3*>(record);
            only().counts_.add(counter.counterKind, counter.value);
        }
        std::free(buffer);
    }

    std::mutex guard_;
    page_counts counts_{};
};

}  // namespace lockstep
