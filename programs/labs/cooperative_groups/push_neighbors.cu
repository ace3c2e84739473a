// One step of a breadth-first search: each thread walks through the neighbors of its
// vertex, as many as it has, and appends those that no thread has seen yet to a list.
// In the starter each appended vertex costs an atomic operation. Let the threads that
// append together take their places with one.

#include <algorithm>
#include <cstdio>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

/// The list of vertices for the next step.
struct list {
    int size;             ///< places taken
    unsigned operations;  ///< how often take() was called

    /// Takes places at the end of the list.
    /// @param places  how many
    /// @return the first of them
    __device__ int take(int places) {
        atomicAdd(&operations, 1);
        return atomicAdd(&size, places);
    }
};

/// Appends the unseen neighbors of each vertex.
/// @param n          number of vertices, one for each thread
/// @param first      n + 1 ints in device memory: where a vertex's neighbors begin
/// @param neighbors  first[n] ints in device memory
/// @param seen       an int for each neighbor's number in device memory, 0 or 1
/// @param next       the list, in device memory
/// @param vertices   room for the vertices of the list in device memory, written
__global__ void visit(int n, const int* first, const int* neighbors, int* seen,
                      list* next, int* vertices) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = first[i]; k < first[i + 1]; ++k) {
        const int vertex = neighbors[k];
        if (atomicExch(&seen[vertex], 1) == 0) {
            // [task]
            const cg::coalesced_group now = cg::coalesced_threads();
            int place = 0;
            if (now.thread_rank() == 0) place = next->take(now.num_threads());
            place = now.shfl(place, 0) + now.thread_rank();
            vertices[place] = vertex;
            //= given
            //| vertices[next->take(1)] = vertex;
            //= mutant place_not_told
            //| const cg::coalesced_group now = cg::coalesced_threads();
            //| int place = 0;
            //| if (now.thread_rank() == 0) place = next->take(now.num_threads());
            //| vertices[place + now.thread_rank()] = vertex;
            //= mutant lane_zero_takes
            //| const cg::coalesced_group now = cg::coalesced_threads();
            //| int place = 0;
            //| if (threadIdx.x % 32 == 0) place = next->take(now.num_threads());
            //| place = now.shfl(place, 0) + now.thread_rank();
            //| vertices[place] = vertex;
            //= mutant lane_for_rank
            //| const cg::coalesced_group now = cg::coalesced_threads();
            //| int place = 0;
            //| if (now.thread_rank() == 0) place = next->take(now.num_threads());
            //| place = now.shfl(place, 0) + threadIdx.x % now.num_threads();
            //| vertices[place] = vertex;
            //= mutant rank_forgotten
            //| const cg::coalesced_group now = cg::coalesced_threads();
            //| int place = 0;
            //| if (now.thread_rank() == 0) place = next->take(now.num_threads());
            //| vertices[now.shfl(place, 0)] = vertex;
            // [/task]
        }
    }
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 100'000, 32, 1 << 22);
    options.finish();
    lockstep::require_device();

    const int numbers = 4 * n;  // vertices that there are
    std::vector<int> first(n + 1), neighbors, expected;
    std::vector<bool> found(numbers);
    for (int i = 0; i < n; ++i) {
        const int degree = lockstep::random_word(i) % 9;  // threads end at other times
        for (int k = 0; k < degree; ++k) {
            const int vertex = lockstep::random_word(i * 9ull + k, 1) % numbers;
            neighbors.push_back(vertex);
            if (!found[vertex]) expected.push_back(vertex);
            found[vertex] = true;
        }
        first[i + 1] = static_cast<int>(neighbors.size());
    }
    const lockstep::device_buffer<int> d_first(first), d_neighbors(neighbors);
    lockstep::device_buffer<int> d_seen(numbers), d_vertices(numbers + 32);
    lockstep::device_buffer<list> d_next(1);
    d_seen.fill_bytes(0);
    d_vertices.fill_bytes(0xFF);
    d_next.fill_bytes(0);
    visit<<<(n + 255) / 256, 256>>>(n, d_first.data(), d_neighbors.data(),
                                    d_seen.data(), d_next.data(), d_vertices.data());
    lockstep::check(cudaGetLastError());

    const list next = d_next.to_host()[0];
    std::vector<int> vertices = d_vertices.to_host();
    vertices.resize(expected.size());
    std::sort(vertices.begin(), vertices.end());
    std::sort(expected.begin(), expected.end());
    lockstep::exercise_verdict verdict;
    verdict.equal("places taken", std::vector<int>{next.size},
                  std::vector<int>{static_cast<int>(expected.size())});
    const bool complete = vertices == expected;
    verdict.holds("vertices of the list", complete,
                  vertices[0] == -1
                      ? "places stayed empty: two threads of a group stored to one "
                        "place, or none knew where its places begin"
                      : "a vertex is missing, and another is there twice");
    char advice[160];
    std::snprintf(
        advice, sizeof advice,
        "%u for %zu vertices, at most one for 4 is wanted: who takes the places "
        "of the threads that append together?",
        next.operations, expected.size());
    verdict.holds("atomic operations",
                  next.operations <= static_cast<unsigned>(expected.size()) / 4,
                  advice);
    return verdict.finish();
}
