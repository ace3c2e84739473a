// How can a group be divided? Into tiles of neighbors, by a label that each thread
// passes, or by a condition. For each kind the program prints the number of a thread's
// new group and its rank there. Groups of every fourth thread come from the label
// rank % 4: toolkit 13.0 has no stride_partition.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int size = 16;  // threads that are divided
constexpr int kinds = 5;

/// Where a thread is after a partition.
struct member {
    unsigned group;    ///< number of its group
    unsigned groups;   ///< how many there are
    unsigned rank;     ///< of the thread in its group
    unsigned threads;  ///< of the group
};

/// What a thread knows about its group.
template <class Group>
__device__ member of(const Group& group) {
    return {group.meta_group_rank(), group.meta_group_size(), group.thread_rank(),
            group.num_threads()};
}

// [kernel]
/// Divides a tile of 16 threads in five ways.
/// @param found  kinds x size members in device memory, written
__global__ void divide(member* found) {
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<size>(block);
    const unsigned rank = tile.thread_rank();
    found[0 * size + rank] = of(cg::tiled_partition<4>(tile));
    found[1 * size + rank] = of(cg::labeled_partition(tile, rank * rank % 7));
    found[2 * size + rank] = of(cg::binary_partition(tile, rank < 5));
    found[3 * size + rank] = of(cg::binary_partition(tile, rank < 99));  // true for all
    found[4 * size + rank] = of(cg::labeled_partition(tile, rank % 4));
}
// [/kernel]

/// The label of each kind, for the host's check.
unsigned label_of(int kind, unsigned rank) {
    const unsigned labels[kinds] = {rank / 4, rank * rank % 7, rank < 5, 1, rank % 4};
    return labels[kind];
}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<member> d_found(kinds * size);
    d_found.fill_bytes(0xFF);
    divide<<<1, size>>>(d_found.data());
    lockstep::check(cudaGetLastError());
    const std::vector<member> found = d_found.to_host();

    const char* names[kinds] = {"tiles of 4", "label rank*rank%7", "rank < 5",
                                "rank < 99", "label rank%4"};
    bool right = true;
    std::printf("%-26s", "rank in the tile of 16");
    for (int rank = 0; rank < size; ++rank) std::printf("%3d", rank);
    std::printf("\n");
    for (int kind = 0; kind < kinds; ++kind) {
        const member* members = &found[kind * size];
        std::printf("%-19s group ", names[kind]);
        for (int rank = 0; rank < size; ++rank) std::printf("%3u", members[rank].group);
        std::printf("\n%25s ", "rank");
        for (int rank = 0; rank < size; ++rank) std::printf("%3u", members[rank].rank);
        std::printf("\n");
        for (unsigned rank = 0; rank < size; ++rank) {
            unsigned before = 0, alike = 0;
            for (unsigned other = 0; other < size; ++other) {
                const bool same = label_of(kind, other) == label_of(kind, rank);
                right = right && same == (members[other].group == members[rank].group);
                alike += same;
                before += same && other < rank;
            }
            right = right && members[rank].rank == before &&
                    members[rank].threads == alike &&
                    members[rank].group < members[rank].groups;
        }
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
