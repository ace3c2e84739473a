// When does migration on demand pay? When a kernel touches a small part of the data. A
// breadth-first search walks eight steps through a graph whose edges lie in managed
// memory. If links are short, as in a road map, it touches few pages, and a copy of all
// edges takes longer. If links lead anywhere, it touches nearly all pages, by faults.

#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

constexpr int links = 8;  // of each node
constexpr int steps = 8;

// [kernel]
/// One step of a breadth-first search.
/// @param count  number of nodes that the last step reached
/// @param front  these nodes
/// @param edges  the neighbors of node v: elements v * links to v * links + links - 1
/// @param level  of each node: the step that reached it, or -1
/// @param step   number of this step
/// @param next   nodes that this step reaches, written
/// @param found  how many they are, 0 at first
__global__ void advance(int count, const int* front, const int* edges, int* level,
                        int step, int* next, int* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    for (int k = 0; k < links; ++k) {
        const int w = edges[std::size_t(front[i]) * links + k];
        if (atomicCAS(&level[w], -1, step) == -1) next[atomicAdd(found, 1)] = w;
    }
}
// [/kernel]

/// Searches from node 0.
/// @param edges   of all nodes, which the GPU can reach
/// @param level   of all nodes, in device memory, written
/// @param fronts  room for all nodes, twice
/// @param found   one int
/// @return how many nodes were reached
int search(const int* edges, lockstep::device_buffer<int>& level,
           lockstep::device_buffer<int> (&fronts)[2],
           lockstep::device_buffer<int>& found) {
    level.fill_bytes(0xFF);  // -1
    lockstep::check(cudaMemset(level.data(), 0, sizeof(int)));
    lockstep::check(cudaMemset(fronts[0].data(), 0, sizeof(int)));
    int count = 1, reached = 1;
    for (int step = 1; step <= steps && count > 0; ++step) {
        found.fill_bytes(0);
        advance<<<(count + 127) / 128, 128>>>(count, fronts[(step + 1) % 2].data(),
                                              edges, level.data(), step,
                                              fronts[step % 2].data(), found.data());
        lockstep::check(cudaGetLastError());
        count = found.to_host()[0];
        reached += count;
    }
    return reached;
}

/// The same on the CPU: the level of each node.
std::vector<int> levels_on_cpu(int n, const int* edges) {
    std::vector<int> level(n, -1), front{0}, next;
    level[0] = 0;
    for (int step = 1; step <= steps; ++step, front.swap(next), next.clear())
        for (const int v : front)
            for (int k = 0; k < links; ++k) {
                const int w = edges[std::size_t(v) * links + k];
                if (level[w] != -1) continue;
                level[w] = step;
                next.push_back(w);
            }
    return level;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 4'000'000, 1000, 8'000'000);
    const int rounds = options.integer("rounds", 5, 1, 50);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    const std::size_t bytes = std::size_t(n) * links * sizeof(int);
    lockstep::device_buffer<int> level(n), found(1);
    lockstep::device_buffer<int> fronts[] = {lockstep::device_buffer<int>(n),
                                             lockstep::device_buffer<int>(n)};
    lockstep::device_buffer<int> d_edges(bytes / sizeof(int));
    int* pinned = nullptr;
    lockstep::check(cudaMallocHost(&pinned, bytes));
    bool right = true;
    int reached[2] = {};
    double ms[2][2];  // short links, links anywhere: on demand, copied
    for (const bool anywhere : {false, true}) {
        std::vector<double> samples[2];
        for (std::size_t i = 0; i < bytes / sizeof(int); ++i) {
            const unsigned word = lockstep::random_word(i);
            pinned[i] =
                int(anywhere ? word % n : (i / links + n - 50 + word % 101) % n);
        }
        const std::vector<int> expected = levels_on_cpu(n, pinned);
        for (int round = -1; round < rounds; ++round) {
            int* edges = nullptr;
            lockstep::check(cudaMallocManaged(&edges, bytes));
            for (std::size_t i = 0; i < bytes / sizeof(int); ++i) edges[i] = pinned[i];
            for (const bool copied : {false, true}) {
                lockstep::check(cudaDeviceSynchronize());
                const auto begin = std::chrono::steady_clock::now();
                // [ways]
                if (copied)
                    lockstep::check(cudaMemcpyAsync(d_edges.data(), pinned, bytes,
                                                    cudaMemcpyHostToDevice));
                reached[anywhere] =
                    search(copied ? d_edges.data() : edges, level, fronts, found);
                // [/ways]
                const auto end = std::chrono::steady_clock::now();
                if (round >= 0)
                    samples[copied].push_back(
                        std::chrono::duration<double, std::milli>(end - begin).count());
                if (round == rounds - 1) right = right && level.to_host() == expected;
            }
            lockstep::check(cudaFree(edges));
        }
        for (int way = 0; way < 2; ++way)
            ms[anywhere][way] = lockstep::summarize(samples[way]).median_ms;
    }
    lockstep::check(cudaFreeHost(pinned));
    lockstep::report("nodes", n);
    lockstep::report("edges", bytes * 1e-6, "MB");
    lockstep::report("short links: nodes reached", reached[0]);
    lockstep::report("short links: on demand", lockstep::measured{ms[0][0]}, "ms");
    lockstep::report("short links: copied", lockstep::measured{ms[0][1]}, "ms");
    lockstep::report("any links: nodes reached", reached[1]);
    lockstep::report("any links: on demand", lockstep::measured{ms[1][0]}, "ms");
    lockstep::report("any links: copied", lockstep::measured{ms[1][1]}, "ms");
    lockstep::report("levels right", right);
    const bool pays = untimed || (ms[0][0] < ms[0][1] && ms[1][0] > ms[1][1]);
    return right && pays ? EXIT_SUCCESS : EXIT_FAILURE;
}
