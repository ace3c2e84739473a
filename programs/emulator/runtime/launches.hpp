// Launches of kernels as programs ask for them.
#pragma once

#include <map>

#include "streams.hpp"

namespace emulator {

struct launch_request {
    const void* stub;
    dim3 grid, block;
    void** arguments;
    size_t shared;
    dim3 cluster = dim3(0, 0, 0);  // as the kernel says
    bool cooperative = false, early = false;
    std::map<int, cudaLaunchAttributeValue> of_memory = {};  // attributes that are remembered
};

// What the hardware allows; the driver answers most of the rest with an invalid value.
cudaError_t make_launch(const launch_request& wanted, kernel_launch* made);
cudaError_t make_launch(kernel_entry* kernel, const launch_request& wanted, kernel_launch* made);
// Attributes that say what happens, not how fast, put into the request; null where there are none.
cudaError_t read_attributes(const cudaLaunchAttribute* attributes, unsigned count,
                            launch_request* wanted);
// Attributes of streams and launches about memory, which are remembered and do nothing: the fences
// of all domains order everything here, and there is no cache.
bool is_of_memory(cudaLaunchAttributeID which);
cudaError_t check_of_memory(cudaLaunchAttributeID which, const cudaLaunchAttributeValue& value);
cudaLaunchAttributeValue usual_value(cudaLaunchAttributeID which);

}  // namespace emulator
