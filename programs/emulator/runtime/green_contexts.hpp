// Green contexts: parts of the device's SMs, and the streams whose kernels run on these alone.
#pragma once

#include <bitset>
#include <memory>
#include <vector>

#include "driver_calls.hpp"

namespace emulator {

using sm_bits = std::bitset<hardware::multiprocessors>;

struct green_context {
    unsigned long long id;
    CUgreenCtx handle = nullptr;
    CUcontext converted = nullptr;
    sm_bits sms;
    unsigned stated;  // how many SMs it says that it has: one counts as often as it was given
    std::shared_ptr<const std::vector<unsigned>> places;  // of its SMs
    std::vector<cudaStream_t> streams = {};
    std::vector<work_item> awaited = {};  // by all that its streams are still asked for
};

// What the host's thread has made current; null for the primary context.
std::shared_ptr<green_context> current_green_context();
void adopt_stream(const std::shared_ptr<green_context>& context, cudaStream_t stream);

// A resource in the form that programs keep: it names its SMs.
CUdevResource resource_of(const sm_bits& sms, unsigned stated, unsigned least, unsigned alignment);
CUdevResource whole_device();
bool is_of_sms(const CUdevResource& resource);
sm_bits sms_of(const CUdevResource& resource);

}  // namespace emulator
