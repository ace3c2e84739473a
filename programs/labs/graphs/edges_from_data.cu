// A graph knows which task runs before which; it does not know what they read and
// write. You do: the table below says it. Write the rule that tells whether a task must
// wait for an earlier one. The program adds an edge wherever your rule says so. The
// starter lets each task wait for all earlier ones, as a stream would.

#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/graph_nodes.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 64;  // elements of a buffer

/// Reads and writes buffers; one block of n threads.
/// @param buffers  six arrays of n ints each in device memory
/// @param number   number of the task
/// @param reads    a bit for each buffer that is read
/// @param writes   the buffer that is written
__global__ void work(int* buffers, int number, unsigned reads, int writes) {
    int sum = number + 1;
    for (int one = 0; one < 6; ++one)
        if (reads >> one & 1) sum += 3 * buffers[one * n + threadIdx.x];
    buffers[writes * n + threadIdx.x] = sum;
}

// [table]
/// A task; bit i stands for buffer i.
struct task {
    const char* name;
    unsigned reads;
    unsigned writes;
};
constexpr unsigned plate_a = 1, plate_b = 2, largest = 4, total = 8, image = 16,
                   result = 32;
const std::vector<task> tasks = {
    // in the order in which one stream would run them
    {"sweep", plate_a, plate_b},
    {"change", plate_a | plate_b, largest},
    {"draw", plate_b, image},
    {"sweep back", plate_b, plate_a},
    {"heat source", 0, plate_a},
    {"total", plate_a, total},
    {"record", largest | total, result},
};
// [/table]

/// Whether a task must wait for another.
/// @param later    the task
/// @param earlier  one that comes before it in the table
bool must_wait(const task& later, const task& earlier) {
    // [task]
    return (later.reads & earlier.writes) != 0 || (later.writes & earlier.reads) != 0 ||
           (later.writes & earlier.writes) != 0;
    //= given
    //| // The table holds reads and writes of both tasks; & finds common buffers.
    //| (void)later, (void)earlier;
    //| return true;
    //= mutant only_what_it_reads
    //| return (later.reads & earlier.writes) != 0;
    //= mutant forgets_two_writers
    //| return (later.reads & earlier.writes) != 0 ||
    //|        (later.writes & earlier.reads) != 0;
    //= mutant forgets_earlier_readers
    //| return ((later.reads | later.writes) & earlier.writes) != 0;
    //= mutant any_common_buffer
    //| return ((later.reads | later.writes) & (earlier.reads | earlier.writes)) != 0;
    // [/task]
}

int main() {
    lockstep::require_device();

    const int count = static_cast<int>(tasks.size());
    const std::vector<int> before(6 * n, 5);
    lockstep::device_buffer<int> d_buffers(before);
    lockstep::check(cudaDeviceSynchronize());
    lockstep::owned_graph graph;
    lockstep::graph_nodes nodes;
    std::vector<int> expected = before;
    std::string missing, superfluous;
    for (int i = 0; i < count; ++i) {
        const task& later = tasks[i];
        int target = 0;
        while (later.writes >> target != 1) ++target;
        lockstep::graph_nodes after;
        for (int k = 0; k < i; ++k) {
            const task& earlier = tasks[k];
            const bool waits = must_wait(later, earlier);
            if (waits) after.push_back(nodes[k]);
            const unsigned common = (later.reads & earlier.writes) |
                                    (later.writes & (earlier.reads | earlier.writes));
            std::string& names = common ? missing : superfluous;
            if (waits == (common != 0) || !names.empty()) continue;
            names = std::string("\"") + later.name +
                    (common ? "\" must wait for \"" : "\" need not wait for \"") +
                    earlier.name + "\": compare their rows of the table";
        }
        nodes.push_back(lockstep::add_kernel_node(
            graph, after, 1, n, work, d_buffers.data(), i, later.reads, target));
        for (int t = 0; t < n; ++t) {
            int sum = i + 1;
            for (int one = 0; one < 6; ++one)
                if (later.reads >> one & 1) sum += 3 * expected[one * n + t];
            expected[target * n + t] = sum;
        }
    }
    const lockstep::owned_stream stream;
    lockstep::check(cudaGraphLaunch(graph.instantiate(), stream));
    lockstep::check(cudaStreamSynchronize(stream));

    lockstep::exercise_verdict verdict;
    verdict.holds("every conflict is ordered", missing.empty(), missing.c_str());
    verdict.holds("no other task waits", superfluous.empty(), superfluous.c_str());
    if (missing.empty()) verdict.equal("buffers", d_buffers.to_host(), expected);
    return verdict.finish();
}
