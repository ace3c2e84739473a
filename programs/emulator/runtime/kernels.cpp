#include "kernels.hpp"

#include <algorithm>
#include <map>

#include "shared_memory.hpp"

namespace emulator {

size_t most_pending_launches = hardware::default_pending_launches;

static std::map<const kernel_entry*, kernel_settings> settings;

kernel_settings& settings_of(const kernel_entry& kernel) { return settings[&kernel]; }
unsigned max_cluster_blocks(const kernel_settings& setting) {
    return setting.non_portable_cluster ? hardware::max_cluster_blocks_non_portable
                                        : hardware::max_cluster_blocks;
}
void forget_kernel_settings() {
    settings.clear();
    most_pending_launches = hardware::default_pending_launches;
}

kernel_entry* find_kernel(const void* stub) {
    for (int i = 0; i < __emu_kernel_count; ++i)
        if (stub && __emu_kernels[i].stub == stub) return &__emu_kernels[i];
    return nullptr;
}

// Device code names a kernel by its table of sizes.
kernel_entry* kernel_in_device_code(const void* named) {
    for (int i = 0; i < __emu_kernel_count; ++i)
        if (__emu_kernels[i].sizes == named) return &__emu_kernels[i];
    return nullptr;
}

cudaFuncAttributes attributes_of(const kernel_entry& kernel) {
    cudaFuncAttributes found{};
    found.sharedSizeBytes = static_shared_bytes(kernel);
    found.localSizeBytes = size_t(kernel.local_bytes);
    found.maxThreadsPerBlock = max_threads(kernel);
    found.numRegs = registers_of(kernel);
    found.ptxVersion = found.binaryVersion =
        10 * hardware::capability_major + hardware::capability_minor;
    found.maxDynamicSharedSizeBytes = settings_of(kernel).most_dynamic_shared;
    found.preferredShmemCarveout = settings_of(kernel).carveout;
    found.requiredClusterWidth = int(kernel.cluster[0]);
    found.requiredClusterHeight = int(kernel.cluster[1]);
    found.requiredClusterDepth = int(kernel.cluster[2]);
    found.nonPortableClusterSizeAllowed = settings_of(kernel).non_portable_cluster;
    return found;
}

static int rounded_down(int value, int unit) { return value / unit * unit; }

int registers_of(const kernel_entry& kernel) {
    return kernel.registers ? kernel.registers : hardware::default_registers;
}

// Registers are given to warps in pieces, and to each scheduler its quarter of the warps.
static int warps_by_registers(const kernel_entry& kernel, int registers) {
    const int of_warp =
        rounded_up(registers_of(kernel) * warp_size, hardware::register_allocation_unit);
    return rounded_down(registers / of_warp, hardware::schedulers_per_multiprocessor);
}

int bounded_threads(const kernel_entry& kernel) {
    return kernel.max_threads ? kernel.max_threads : int(hardware::max_threads_per_block);
}
int max_threads(const kernel_entry& kernel) {
    return std::min(bounded_threads(kernel),
                    warps_by_registers(kernel, hardware::registers_per_block) * warp_size);
}

bool launches_graphs(const kernel_entry& kernel) {
    for (const int* number = kernel.shared; *number >= 0; ++number)
        if (__emu_shared_variables[*number].bytes == abi::launching_mark_bytes) return true;
    return false;
}

bool shared_fits(const kernel_entry& kernel, size_t dynamic) {
    const kernel_settings& setting = settings[&kernel];
    const size_t all = static_shared_bytes(kernel) + dynamic;
    return dynamic <= size_t(setting.most_dynamic_shared) &&
           all <= (setting.opted_in ? hardware::shared_bytes_per_block_opt_in
                                    : hardware::shared_bytes_per_block);
}

int resident_blocks(const kernel_entry& kernel, int threads, size_t dynamic_shared) {
    if (!shared_fits(kernel, dynamic_shared)) return 0;
    const size_t asked =
        static_shared_bytes(kernel) + dynamic_shared + hardware::shared_bytes_reserved_per_block;
    const int shared = rounded_up(int(asked), int(hardware::shared_allocation_unit));
    const int warps = (threads + warp_size - 1) / warp_size;
    const int by_registers =
        warps_by_registers(kernel, hardware::registers_per_multiprocessor) / warps;
    return std::min({hardware::max_warps_per_multiprocessor / warps,
                     hardware::max_blocks_per_multiprocessor, by_registers,
                     int(hardware::shared_bytes_per_multiprocessor) / shared});
}

double share_of(const kernel_launch& launch) {
    const int at_once =
        resident_blocks(*launch.kernel, int(volume(launch.block)), launch.dynamic_shared);
    return std::min(1.0, double(volume(launch.grid)) /
                             (double(std::max(at_once, 1)) * hardware::multiprocessors));
}

}  // namespace emulator
