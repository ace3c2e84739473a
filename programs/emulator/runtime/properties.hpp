// The emulated device's limits and what it answers to queries.
#pragma once

#include <cstdint>

#include "toolkit/cuda_runtime_api.h"

namespace emulator {

struct Limits {
    unsigned threads = 1024;  // in a block
    unsigned multiprocessors = 132;
    size_t shared_bytes = 49152, shared_bytes_opt_in = 232448, shared_bytes_of_multiprocessor = 233472;
    uint64_t global_bytes = 150110011392;
    unsigned cluster_blocks = 8, cluster_blocks_non_portable = 16;
};
extern const Limits limits;

cudaDeviceProp properties();
bool attribute(int* value, cudaDeviceAttr which);  // false: unknown
const char* description(cudaError_t error);

}  // namespace emulator
