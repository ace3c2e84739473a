// Launches of kernels, from their beginning to their end.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "runtime.hpp"

namespace emulator {

struct graph_scope;

struct kernel_launch {
    const kernel_entry* kernel;
    dim3 grid, block, cluster;  // a cluster of (1, 1, 1) is none
    size_t dynamic_shared;
    bool cooperative;
    std::vector<std::vector<unsigned char>> values;  // the arguments
    bool early = false;  // may begin before the kernel before has ended
    std::shared_ptr<graph_scope> scope = nullptr;  // the run of a graph that it belongs to
    bool by_kernel = false;  // launched from a kernel
    std::function<bool()> before_is_over = nullptr;  // where it may have begun so early
    std::shared_ptr<const std::vector<unsigned>> sms = nullptr;  // on which alone it runs
};

// waiting: only threads that look at memory again and again are left
enum class launch_progress { running, waiting, done };

class running_launch;
running_launch* begin_launch(kernel_launch launch);
launch_progress advance(running_launch& running);
cudaError_t finish_launch(running_launch* running);  // also one that has not come to its end

}  // namespace emulator
