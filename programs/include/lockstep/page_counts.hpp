#pragma once
/// @file
/// What the driver did to managed memory: bytes moved, page faults, and more.

#include <algorithm>

#include <cupti.h>

namespace lockstep {

/// What the driver did to managed memory since the last reading.
struct page_counts {
    long long bytes_to_gpu;    ///< moved or copied from CPU to GPU memory
    long long bytes_to_cpu;    ///< from GPU to CPU memory
    long long moves_to_gpu;    ///< transfers to the GPU, each of one range
    long long moves_to_cpu;    ///< transfers to the CPU
    long long smallest_bytes;  ///< of the smallest transfer to the GPU; 0 if none
    long long largest_bytes;   ///< of the largest transfer to the GPU
    long long gpu_faults;      ///< reported groups of page faults of the GPU
    long long cpu_faults;      ///< reported page faults of the CPU
    long long thrashings;      ///< times the driver saw a page go back and forth
    long long remote_maps;  ///< ranges mapped for a processor that does not hold them

    /// Bytes to the GPU, in MiB.
    double mib_to_gpu() const { return bytes_to_gpu / double(1 << 20); }
    /// Bytes to the CPU, in MiB.
    double mib_to_cpu() const { return bytes_to_cpu / double(1 << 20); }

    /// Adds what one record of CUPTI reports.
    /// @param kind   what it counts
    /// @param value  bytes of one transfer, or how often
    void add(CUpti_ActivityUnifiedMemoryCounterKind kind, long long value) {
        switch (kind) {
            case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD:
                bytes_to_gpu += value;
                smallest_bytes = moves_to_gpu ? std::min(smallest_bytes, value) : value;
                largest_bytes = std::max(largest_bytes, value);
                ++moves_to_gpu;
                break;
            case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH:
                bytes_to_cpu += value;
                ++moves_to_cpu;
                break;
            case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT:
                ++gpu_faults;
                break;
            case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT:
                ++cpu_faults;
                break;
            case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING:
                ++thrashings;
                break;
            case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_REMOTE_MAP:
                ++remote_maps;
                break;
            default: break;
        }
    }
};

}  // namespace lockstep
