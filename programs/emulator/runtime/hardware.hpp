// The emulated device's numbers: those of an H200, so that programs meet the same limits. Every
// other place reads them here; plain C++17, for the headers that device code is compiled with, too.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace emulator_hardware {

// What a block and a grid may be.
constexpr int warp_size = 32;
constexpr unsigned max_threads_per_block = 1024;
constexpr unsigned max_block_size[] = {1024, 1024, 64};
constexpr unsigned max_grid_size[] = {2147483647, 65535, 65535};
constexpr unsigned max_cluster_blocks = 8;
constexpr unsigned max_cluster_blocks_non_portable = 16;  // for a kernel that allows it

// A multiprocessor, and how many there are.
constexpr int multiprocessors = 132;
constexpr int max_threads_per_multiprocessor = 2048;
constexpr int max_warps_per_multiprocessor = max_threads_per_multiprocessor / warp_size;
constexpr int max_blocks_per_multiprocessor = 32;
// How many lie in each GPU processing cluster. It differs from one GPU to the next; the splits and
// clusters that the recording H200 allowed fit to this.
constexpr unsigned cluster_sizes[] = {18, 18, 18, 18, 18, 18, 16, 8};
constexpr unsigned sm_group_unit = 8;  // of which groups of SMs consist
constexpr unsigned sm_group_unit_of_any = 2;  // where they need not lie in one cluster
constexpr int schedulers_per_multiprocessor = 4;  // each has a quarter of the warps and registers
constexpr int registers_per_multiprocessor = 65536;
constexpr int registers_per_block = 65536;
constexpr int register_allocation_unit = 256;  // of a warp
constexpr int default_registers = 32;  // of a thread, where the toolkit was not asked

// Shared memory, in bytes.
constexpr size_t shared_bytes_per_block = 49152;  // without asking for more
constexpr size_t shared_bytes_per_block_opt_in = 232448;
constexpr size_t shared_bytes_per_multiprocessor = 233472;
constexpr size_t shared_bytes_reserved_per_block = 1024;
constexpr size_t shared_allocation_unit = 128;

// Other memory, in bytes.
constexpr uint64_t global_bytes = 150110011392;
constexpr size_t constant_bytes = 65536;
constexpr int l2_cache_bytes = 62914560;
constexpr int l2_persisting_bytes = 39321600;
constexpr int l2_persisting_unit = l2_cache_bytes / 16;
constexpr int l2_persisting_default = 3 * l2_persisting_unit;
constexpr size_t stack_bytes_default = 1024;  // cudaLimitStackSize
constexpr size_t printf_bytes_default = 8'650'752;  // cudaLimitPrintfFifoSize
constexpr int l2_window_bytes = 128 << 20;
constexpr size_t allocation_alignment = 256;  // as cudaMalloc promises
constexpr size_t mapping_granularity = size_t(2) << 20;  // of memory that programs map themselves
constexpr uint64_t reserved_unit = uint64_t(32) << 20;  // in which pools and graphs take memory
constexpr size_t pitch_alignment = 512;
constexpr size_t texture_alignment = 512;
constexpr size_t texture_pitch_alignment = 32;
constexpr size_t max_pitch = 2147483647;
constexpr size_t default_heap_bytes = size_t(8) << 20;  // that malloc() in kernels may give out
constexpr int memory_bus_bits = 6144;

// What CUDA arrays may measure, in texels.
namespace textures {
constexpr size_t width = 131072, height = 65536;
constexpr size_t volume = 16384;
constexpr size_t layered = 32768, layers = 2048;
constexpr size_t cube = 32768, cube_layers = 2046;
constexpr size_t mipmapped = 32768;
constexpr size_t gathered = 32768;
constexpr size_t pitched_width = 131072, pitched_height = 65000, pitch = 2097120;
constexpr size_t linear = size_t(1) << 30;
constexpr size_t surface_line = 32768;
}  // namespace textures

// Launches of kernels by kernels.
constexpr size_t default_pending_launches = 2048;  // that have not ended, at a time
constexpr int device_runtime_version = 6000;  // as kernels are told

// Clocks, engines, priorities.
constexpr int clock_khz = 1980000;
constexpr int memory_clock_khz = 3201000;
constexpr int copy_engines = 3;
constexpr int sync_domains = 4;  // of memory
constexpr int least_stream_priority = 0;
constexpr int greatest_stream_priority = -5;

// The compute capability.
constexpr int capability_major = 9;
constexpr int capability_minor = 0;

}  // namespace emulator_hardware
