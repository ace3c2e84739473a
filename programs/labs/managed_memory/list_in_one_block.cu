// Does it matter how the nodes of a managed list are allocated? One call for each node
// costs the CPU time, and leaves a range for each, which one prefetch cannot move. If
// all nodes lie in one block, that is one call, and one prefetch brings the list over.

#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// A node of the list.
struct node {
    int value;
    node* next;
};

/// Adds up the values of a list.
/// @param first  the first node
/// @param sum    their sum, written
__global__ void add_up(const node* first, long long* sum) {
    long long total = 0;
    for (const node* at = first; at; at = at->next) total += at->value;
    *sum = total;
}

/// Milliseconds since a point of time.
double since(std::chrono::steady_clock::time_point begin) {
    const auto end = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(end - begin).count();
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 2000, 1, 10'000);
    const int rounds = options.integer("rounds", 5, 1, 50);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    long long* sum = nullptr;
    lockstep::check(cudaMallocManaged(&sum, sizeof *sum));
    std::vector<double> build_ms[2], walk_ms[2];  // a call for each node, one block
    bool right = true;
    for (int round = -1; round < rounds; ++round)
        for (const bool one_block : {false, true}) {
            *sum = -1;
            std::vector<node*> nodes(n);
            const auto begin = std::chrono::steady_clock::now();
            // [build]
            node* block = nullptr;
            if (one_block) lockstep::check(cudaMallocManaged(&block, n * sizeof(node)));
            for (int i = 0; i < n; ++i) {
                if (one_block)
                    nodes[i] = block + i;
                else
                    lockstep::check(cudaMallocManaged(&nodes[i], sizeof(node)));
                *nodes[i] = {i * 7 % 1000, i > 0 ? nodes[i - 1] : nullptr};
            }
            // [/build]
            if (round >= 0) build_ms[one_block].push_back(since(begin));

            const auto start = std::chrono::steady_clock::now();
            // [walk]
            const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
            if (one_block)
                lockstep::check(
                    cudaMemPrefetchAsync(block, n * sizeof(node), gpu, 0, nullptr));
            add_up<<<1, 1>>>(nodes[n - 1], sum);
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaDeviceSynchronize());
            // [/walk]
            if (round >= 0) walk_ms[one_block].push_back(since(start));

            long long expected = 0;
            for (int i = 0; i < n; ++i) expected += i * 7 % 1000;
            right = right && *sum == expected;
            if (one_block) lockstep::check(cudaFree(block));
            if (!one_block)
                for (node* each : nodes) lockstep::check(cudaFree(each));
        }
    const double separate = lockstep::summarize(build_ms[0]).median_ms;
    const double together = lockstep::summarize(build_ms[1]).median_ms;
    lockstep::report("nodes", n);
    lockstep::report("a call each: build", lockstep::measured{separate}, "ms");
    lockstep::report("a call each: walk",
                     lockstep::measured{lockstep::summarize(walk_ms[0]).median_ms},
                     "ms");
    lockstep::report("one block: build", lockstep::measured{together}, "ms");
    lockstep::report("one block: move and walk",
                     lockstep::measured{lockstep::summarize(walk_ms[1]).median_ms},
                     "ms");
    lockstep::report("sums right", right);
    const bool pays = untimed || separate > together;
    return right && pays ? EXIT_SUCCESS : EXIT_FAILURE;
}
