// Runs graphs: each node becomes work that begins when what it depends on is done.

#include "graph_runs.hpp"

#include <cstdio>
#include <set>
#include <utility>

#include "copies.hpp"
#include "entry.hpp"
#include "events.hpp"
#include "graph_memory.hpp"

namespace emulator {

namespace {

using work_items = std::vector<work_item>;

using graph_run = std::shared_ptr<graph_scope>;

cudaError_t nothing() { return cudaSuccess; }

work_items schedule(const task_graph& graph, const work_items& begin, const graph_run& run);

// Handles of conditions are numbers of the whole process.
std::map<cudaGraphConditionalHandle, unsigned> condition_values;

void reset_conditions(const task_graph& graph) {
    each_graph(graph, [](const task_graph& one) {
        for (const auto& [handle, value] : one.conditions) {
            condition_values.erase(handle);
            if (value) condition_values[handle] = *value;
        }
    });
}

const task_graph* chosen_body(const graph_node& node, unsigned value) {
    const size_t bodies = node.bodies.size();
    switch (node.condition.type) {
        case cudaGraphCondTypeIf:
            if (value) return node.bodies[0].get();
            return bodies > 1 ? node.bodies[1].get() : nullptr;
        case cudaGraphCondTypeWhile: return value ? node.bodies[0].get() : nullptr;
        default: return value < bodies ? node.bodies[value].get() : nullptr;
    }
}

// Looks at the condition, and puts the body that it chooses before the end; of a loop, then looks
// again.
cudaError_t evaluate(const graph_node& node, const work_item& end, const graph_run& run) {
    const auto found = condition_values.find(node.condition.handle);
    if (found == condition_values.end()) {
        fflush(stdout);
        fprintf(stderr,
                "emulator: a conditional node of a graph looks at a value that nothing has set "
                "since the launch\n");
        return cudaErrorLaunchFailure;
    }
    const task_graph* body = chosen_body(node, found->second);
    if (!body) return cudaSuccess;
    work_items ends = schedule(*body, {}, run);
    if (node.condition.type == cudaGraphCondTypeWhile)
        ends = {
            put_apart([&node, end, run] { return evaluate(node, end, run); }, ends, run->priority)};
    end->after.insert(end->after.end(), ends.begin(), ends.end());
    return cudaSuccess;
}

work_item put_conditional(const graph_node& node, const work_items& after, const graph_run& run) {
    const work_item end = put_apart(nothing, after, run->priority);
    const std::weak_ptr<stream_operation> joined = end;
    const work_item first = put_apart(
        [&node, joined, run] { return evaluate(node, joined.lock(), run); }, after, run->priority);
    end->after.push_back(first);
    return end;
}

work_item put_kernel(const graph_node& node, const work_items& after, const graph_run& run,
                     const work_item& primary) {
    const auto priority = node.attributes.find(cudaLaunchAttributePriority);
    kernel_launch launch = node.launch;
    launch.early = bool(primary);
    launch.scope = run;
    return put_apart(std::move(launch), after,
                     priority == node.attributes.end() ? run->priority : priority->second.priority,
                     primary);
}

work_item put_event(const graph_node& node, const work_items& after, const graph_run& run) {
    device_event& event = *node.noted;
    if (node.type == cudaGraphNodeTypeEventRecord) {
        const work_item work =
            put_apart(note_time(node.noted, ++event.records), after, run->priority);
        event.recorded = work;
        event.captured = nullptr;
        return work;
    }
    work_items with_event = after;
    if (event.recorded) with_event.push_back(event.recorded);
    return put_apart(nothing, with_event, run->priority);
}

// Several ends become one.
work_item joined(const work_items& ends, const graph_run& run) {
    return put_apart(nothing, ends, run->priority);
}

work_item put_node(const graph_node& node, const work_items& after, const graph_run& run,
                   const work_item& primary) {
    if (!node.enabled) return put_apart(nothing, after, run->priority);
    const auto act = [&](std::function<cudaError_t()> what) {
        return put_apart(std::move(what), after, run->priority);
    };
    switch (node.type) {
        case cudaGraphNodeTypeKernel: return put_kernel(node, after, run, primary);
        case cudaGraphNodeTypeMemcpy: return act([copy = node.copy] { return carry_out(copy); });
        case cudaGraphNodeTypeMemset: return act([fill = node.fill] { return carry_out(fill); });
        case cudaGraphNodeTypeHost: {
            const work_item work = act([host = node.host] {
                run_host_function([&] { host.fn(host.userData); });
                return cudaSuccess;
            });
            work->on_host = true;
            return work;
        }
        case cudaGraphNodeTypeGraph: {
            work_items begin = {joined(after, run)};
            work_items ends = schedule(*node.child, begin, run);
            ends.push_back(begin[0]);
            return joined(ends, run);
        }
        case cudaGraphNodeTypeWaitEvent:
        case cudaGraphNodeTypeEventRecord: return put_event(node, after, run);
        case cudaGraphNodeTypeMemAlloc:
            return act([place = node.allocation.dptr] {
                set_graph_memory(place, true);
                return cudaSuccess;
            });
        case cudaGraphNodeTypeMemFree:
            return act([place = node.freed] {
                set_graph_memory(place, false);
                return cudaSuccess;
            });
        case cudaGraphNodeTypeConditional: return put_conditional(node, after, run);
        default: return act(nothing);
    }
}

work_items schedule(const task_graph& graph, const work_items& begin, const graph_run& run) {
    std::map<const graph_node*, work_item> made;
    std::set<const graph_node*> followed;
    for (const graph_node* node : in_order(graph)) {
        work_items after = node->after.empty() ? begin : work_items();
        work_item primary;
        for (const graph_edge& edge : node->after) {
            followed.insert(edge.from);
            const bool early = edge.data.type == cudaGraphDependencyTypeProgrammatic && !primary &&
                               edge.from->enabled && node->enabled;
            if (early)
                primary = made.at(edge.from);
            else
                after.push_back(made.at(edge.from));
        }
        made[node] = put_node(*node, after, run, primary);
    }
    work_items ends;
    for (const auto& [node, work] : made)
        if (!followed.count(node)) ends.push_back(work);
    return ends;
}

// The tails run in the place of the graph that launched them, one after another; the tails of one
// before the next.
cudaError_t run_tails(const std::shared_ptr<graph_scope>& scope) {
    work_item before;
    for (const std::shared_ptr<graph_instance>& tail : std::exchange(scope->tails, {})) {
        const work_items after = before ? work_items{before} : work_items{};
        before = begin_run(tail, after, scope->priority, scope->parent, true)->whole;
    }
    if (before) scope->whole->after.push_back(before);
    return cudaSuccess;
}

}  // namespace

void upload_if(graph_instance& instance, bool wanted) {
    if (wanted && instance.flags & cudaGraphInstantiateFlagDeviceLaunch)
        instance.uploaded = copy_graph(*instance.graph, false);
}

std::shared_ptr<graph_scope> begin_run(const std::shared_ptr<graph_instance>& instance,
                                       const std::vector<work_item>& after, int priority,
                                       const std::shared_ptr<graph_scope>& parent,
                                       bool from_device) {
    auto scope = std::make_shared<graph_scope>();
    scope->instance = instance;
    scope->parent = parent;
    scope->priority = priority;
    const std::shared_ptr<task_graph> graph = from_device ? instance->uploaded : instance->graph;
    scope->graph = graph;
    const work_item begin = put_apart(
        [graph] {
            reset_conditions(*graph);
            return cudaSuccess;
        },
        after, priority);
    work_items ends = schedule(*graph, {begin}, scope);
    ends.push_back(begin);
    scope->complete = put_apart([scope] { return run_tails(scope); }, ends, priority);
    scope->whole = put_apart(
        [scope] {
            if (!scope->again) scope->instance->on_device = false;
            scope->complete = scope->whole = nullptr;
            return cudaSuccess;
        },
        {scope->complete}, priority);
    return scope;
}

// An instance runs after its own last run, and is kept until it has run.
cudaError_t launch_graph(const std::shared_ptr<graph_instance>& instance, device_stream& stream) {
    const cudaError_t error = begin_graph_memory(*instance, stream.number);
    if (error != cudaSuccess) return error;
    upload_if(*instance, true);
    work_items before;
    if (instance->last) before.push_back(instance->last);
    const work_item begin = enqueue_after(stream, nothing, before);
    const std::shared_ptr<graph_scope> run =
        begin_run(instance, {begin}, stream.priority, nullptr, false);
    instance->last = enqueue_after(stream, nothing, {run->whole});
    return cudaSuccess;
}

}  // namespace emulator

extern "C" void __emu_set_conditional(unsigned long long handle, unsigned value) {
    emulator::condition_values[handle] = value;
}
