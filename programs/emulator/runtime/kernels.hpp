// What the host knows of kernels: their settings, and how many of their blocks a GPU holds.
#pragma once

#include "launch.hpp"

namespace emulator {

kernel_entry* find_kernel(const void* stub);
kernel_entry* kernel_in_device_code(const void* named);
cudaFuncAttributes attributes_of(const kernel_entry& kernel);
int registers_of(const kernel_entry& kernel);  // of a thread

struct kernel_settings {
    int most_dynamic_shared = int(hardware::shared_bytes_per_block);
    bool opted_in = false;  // to more than a kernel gets without asking
    int carveout = -1;
    bool non_portable_cluster = false;
};
unsigned max_cluster_blocks(const kernel_settings& setting);
kernel_settings& settings_of(const kernel_entry& kernel);
void forget_kernel_settings();
extern size_t most_pending_launches;  // by kernels, that have not ended, at a time

int bounded_threads(const kernel_entry& kernel);  // of a block, as __launch_bounds__ says
int max_threads(const kernel_entry& kernel);      // of a block, as its registers allow, too
bool launches_graphs(const kernel_entry& kernel);  // or may: it can reach what does
bool shared_fits(const kernel_entry& kernel, size_t dynamic);
double share_of(const kernel_launch& launch);  // of the device, that its blocks take
int resident_blocks(const kernel_entry& kernel, int threads, size_t dynamic_shared);

}  // namespace emulator
