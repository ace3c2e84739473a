// Add each thread's amount to the total of its label, with as few updates of totals as
// possible: one for each label that occurs in a warp. Each update counts. All 32
// threads of a warp call your function.

#include <string>
#include <vector>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

namespace cg = cooperative_groups;

constexpr int labels = 7;

/// Totals by label, and how often they were updated.
struct totals {
    int amounts[labels];
    int updates;

    /// Adds to the total of a label.
    __device__ void add(int label, int amount) {
        atomicAdd(&amounts[label], amount);
        atomicAdd(&updates, 1);
    }
};

/// Adds the amounts of a warp to the totals of their labels.
/// @param warp    all threads of the warp
/// @param label   of this thread's amount
/// @param amount  what this thread adds
/// @param all     the totals in device memory, updated
__device__ void add_by_label(const cg::thread_block_tile<32>& warp, int label,
                             int amount, totals* all) {
    // [task]
    const cg::coalesced_group alike = cg::labeled_partition(warp, label);
    const int sum = cg::reduce(alike, amount, cg::plus<int>());
    if (alike.thread_rank() == 0) all->add(label, sum);
    //= given
    //| // Form the group of threads with the same label.
    //| all->add(label, amount);
    //= mutant whole_warp
    //| const int sum = cg::reduce(warp, amount, cg::plus<int>());
    //| if (warp.thread_rank() == 0) all->add(label, sum);
    //= mutant own_amount_only
    //| const cg::coalesced_group alike = cg::labeled_partition(warp, label);
    //| if (alike.thread_rank() == 0) all->add(label, amount);
    //= mutant size_for_sum
    //| const cg::coalesced_group alike = cg::labeled_partition(warp, label);
    //| if (alike.thread_rank() == 0) all->add(label, alike.num_threads());
    //= mutant every_thread
    //| const cg::coalesced_group alike = cg::labeled_partition(warp, label);
    //| const int sum = cg::reduce(alike, amount, cg::plus<int>());
    //| all->add(label, sum);
    //= mutant two_groups
    //| const cg::coalesced_group alike = cg::binary_partition(warp, label > 0);
    //| const int sum = cg::reduce(alike, amount, cg::plus<int>());
    //| if (alike.thread_rank() == 0) all->add(label, sum);
    // [/task]
}

/// Adds up all amounts.
/// @param x    labels and amounts in turn in device memory, a pair for each thread
/// @param all  the totals in device memory, updated
__global__ void add_up(const int* x, totals* all) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    add_by_label(warp, x[2 * i], x[2 * i + 1], all);
}

int main() {
    lockstep::require_device();

    constexpr int blocks = 8, block_size = 128, n = blocks * block_size;
    std::vector<int> x(2 * n), expected(labels);
    int updates = 0;
    for (int i = 0; i < n; ++i) {
        const int label = i / 32 % 5 == 0 ? 3 : i * i / 3 % labels;
        x[2 * i] = label;
        x[2 * i + 1] = i % 50 - 10;
        expected[label] += x[2 * i + 1];
        bool first = true;  // of its label in its warp
        for (int j = i / 32 * 32; j < i; ++j) first = first && x[2 * j] != label;
        updates += first;
    }
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<totals> d_all(1);
    d_all.fill_bytes(0);
    add_up<<<blocks, block_size>>>(d_x.data(), d_all.data());
    lockstep::check(cudaGetLastError());
    const totals all = d_all.to_host()[0];

    lockstep::exercise_verdict verdict;
    verdict.equal("totals", std::vector<int>(all.amounts, all.amounts + labels),
                  expected, lockstep::numbered("the total of label"));
    const std::string advice = std::to_string(all.updates) + " updates, expected " +
                               std::to_string(updates) +
                               ", one for each label of a warp";
    verdict.holds("number of updates", all.updates == updates, advice.c_str());
    return verdict.finish();
}
