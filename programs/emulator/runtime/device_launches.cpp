// Graphs that kernels launch.

#include "graph_runs.hpp"
#include "running_launch.hpp"

namespace emulator {

namespace {

constexpr int most_children = 120, most_tails = 255;  // of a run

cudaError_t begin_child(const std::shared_ptr<graph_scope>& scope,
                        const std::shared_ptr<graph_instance>& instance, bool sibling) {
    if (instance->on_device || instance == scope->instance) return cudaErrorInvalidValue;
    if (scope->children == most_children) return cudaErrorInvalidValue;
    ++scope->children;
    instance->on_device = true;
    soon([=] {
        // A sibling is a child of the launcher's parent; of the whole, where no kernel launched it.
        const std::shared_ptr<graph_scope> parent = sibling ? scope->parent : scope;
        const work_item run = begin_run(instance, {}, scope->priority, parent, true)->whole;
        const work_item& end = parent ? parent->complete : scope->whole;
        end->after.push_back(run);
    });
    return cudaSuccess;
}

cudaError_t queue_tail(const std::shared_ptr<graph_scope>& scope,
                       const std::shared_ptr<graph_instance>& instance) {
    const bool self = instance == scope->instance;
    if (self ? scope->again : instance->on_device) return cudaErrorInvalidValue;
    if (scope->queued == most_tails) return cudaErrorInvalidValue;
    ++scope->queued;
    scope->again = scope->again || self;
    instance->on_device = true;
    scope->tails.push_back(instance);
    return cudaSuccess;
}

}  // namespace

}  // namespace emulator

using namespace emulator;

extern "C" {

int __emu_graph_launch(void* graph, void* stream, void*) {
    const std::shared_ptr<graph_scope>& scope = current_launch->scope;
    const std::shared_ptr<graph_instance> instance =
        graph_instances.find(static_cast<cudaGraphExec_t>(graph));
    if (!scope || !instance || !instance->uploaded ||
        !(instance->flags & cudaGraphInstantiateFlagDeviceLaunch))
        return cudaErrorInvalidValue;
    switch (uintptr_t(stream)) {
        case abi::launch_tail: return queue_tail(scope, instance);
        case abi::launch_child: return begin_child(scope, instance, false);
        case abi::launch_sibling: return begin_child(scope, instance, true);
        default: return cudaErrorInvalidValue;
    }
}

void* __emu_current_graph() {
    const std::shared_ptr<graph_scope>& scope = current_launch->scope;
    if (!scope || !(scope->instance->flags & cudaGraphInstantiateFlagDeviceLaunch)) return nullptr;
    return scope->instance->handle;
}

}  // extern "C"
