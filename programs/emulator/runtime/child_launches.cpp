// Launches of kernels by kernels.

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include "device_runtime.hpp"

#include "faults.hpp"
#include "fiber.hpp"
#include "kernel_streams.hpp"
#include "kernels.hpp"
#include "launches.hpp"
#include "memory.hpp"
#include "races.hpp"
#include "random.hpp"
#include "running_launch.hpp"

namespace emulator {

namespace {

constexpr int looks_for_room = 4;  // of a launch that finds too many pending

std::map<void*, size_t> buffers;                   // of parameters, and their bytes
std::vector<std::shared_ptr<work_item>> launched;  // perhaps ended since
int place_of_launch;

std::string place() { return __emu_places[place_of_launch]; }

void give_way(thread_state state) {
    settle();
    self().state = state;
    yield_fiber();
}

bool too_many_pending() {
    if (launched.size() < most_pending_launches) return false;
    launched.erase(std::remove_if(launched.begin(), launched.end(),
                                  [](const auto& work) { return *work && (*work)->done; }),
                   launched.end());
    return launched.size() >= most_pending_launches;
}

// Memory that only this thread, or its block, can read.
const char* private_memory(const void* p) {
    switch (__emu_space(p)) {
        case abi::space_local: return "local";
        case abi::space_shared:
        case abi::space_cluster_shared: return "shared";
        default: return nullptr;
    }
}

void refuse_private_memory(const kernel_entry& kernel, int argument, const unsigned char* at) {
    const void* p = nullptr;
    memcpy(&p, at, sizeof p);
    if (const char* kind = private_memory(p))
        fault(cudaErrorInvalidAddressSpace, place(),
              std::string("hands a pointer to ") + kind + " memory to " + kernel.name +
                  ", as argument " + std::to_string(argument + 1) + ": another grid cannot use it");
}

void check_arguments(const kernel_entry& kernel, const kernel_launch& launch) {
    for (const int* pair = kernel.pointers; *pair >= 0; pair += 2)
        refuse_private_memory(kernel, pair[0], launch.values[pair[0]].data() + pair[1]);
}

// The arguments of a launch, where the kernel expects them in a buffer.
std::vector<void*> arguments_in(const kernel_entry& kernel, void* buffer) {
    std::vector<void*> arguments;
    if (!buffer && kernel.sizes[0] < 0) return arguments;  // nothing lies there
    const auto found = buffers.find(buffer);
    if (found == buffers.end())
        fault(cudaErrorLaunchFailure, place(),
              "launches with a buffer that cudaGetParameterBuffer has not given for this launch");
    size_t end = 0;
    for (int i = 0; kernel.sizes[i] >= 0; ++i) {
        if (kernel.offsets[i] < 0)
            fault(cudaErrorLaunchFailure, place(),
                  std::string("the emulator does not know how the arguments of ") + kernel.name +
                      " lie in a buffer");
        arguments.push_back(static_cast<char*>(buffer) + kernel.offsets[i]);
        end = size_t(kernel.offsets[i] + kernel.sizes[i]);
    }
    if (end > found->second)
        fault(cudaErrorLaunchFailure, place(),
              "launches with a buffer of " + std::to_string(found->second) + " bytes for " +
                  std::to_string(end) + " bytes of arguments");
    return arguments;
}

void release_buffer(void* buffer) {
    if (buffers.erase(buffer)) release(static_cast<char*>(buffer) - abi::parameter_alignment);
}

// What the device runtime says where the host is told of an invalid value.
cudaError_t told_to_kernels(cudaError_t error) {
    return error == cudaErrorInvalidValue ? cudaErrorInvalidConfiguration : error;
}

cudaError_t launch(kernel_entry* kernel, void* buffer, dim3 grid, dim3 block, unsigned shared,
                   cudaStream_t stream) {
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    std::vector<void*> arguments = arguments_in(*kernel, buffer);
    auto made = std::make_shared<kernel_launch>();
    const cudaError_t error =
        make_launch(kernel, {nullptr, grid, block, arguments.data(), shared}, made.get());
    if (error != cudaSuccess) return told_to_kernels(error);
    if (launches_graphs(*kernel)) return cudaErrorNotSupported;
    check_arguments(*kernel, *made);
    // Others go on meanwhile, on a GPU as here: those that end make room.
    for (int look = 0; look < looks_for_room && too_many_pending(); ++look) give_way(spinning);
    if (too_many_pending()) return cudaErrorLaunchPendingCountExceeded;
    made->by_kernel = true;
    launched.push_back(
        put_in(stream, place(),
               [made, priority = running_work->priority](const std::vector<work_item>& after) {
                   return put_apart(std::move(*made), after, priority, nullptr);
               }));
    return cudaSuccess;
}

}  // namespace

}  // namespace emulator

using namespace emulator;

extern "C" {

void* __emu_parameters(size_t, size_t bytes) {
    const size_t before = abi::parameter_alignment;  // so that it has no higher one
    char* begin = static_cast<char*>(allocate(before + std::max(bytes, size_t(1)), device_memory));
    if (!begin) {
        self().last_error = cudaErrorLaunchOutOfResources;
        return nullptr;
    }
    buffers[begin + before] = bytes;
    return begin + before;
}

void __emu_launch_place(int place) { place_of_launch = place; }

int __emu_launch(void* kernel, void* buffer, dim3 grid, dim3 block, unsigned shared,
                 cudaStream_t stream) {
    const cudaError_t error =
        launch(kernel_in_device_code(kernel), buffer, grid, block, shared, stream);
    release_buffer(buffer);
    if (error != cudaSuccess) self().last_error = error;
    if (seed) give_way(ready);  // a child may run before the parent goes on
    return error;
}

int __emu_last_error(int clear) {
    const cudaError_t error = self().last_error;
    if (clear) self().last_error = cudaSuccess;
    return error;
}
int __emu_remember(int error) {
    if (error != cudaSuccess) self().last_error = cudaError_t(error);
    return error;
}

}  // extern "C"
