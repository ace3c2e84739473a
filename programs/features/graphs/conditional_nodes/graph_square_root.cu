// Find the integer square root of a number by bisection, in the body of a WHILE node.
// Each round halves the interval from low to high, of which low * low <= number <
// high * high holds. Write one round: shorten the interval, and say whether the loop
// goes on. The answer is low, once the interval has a length of 1.

#include <cstddef>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/kernel_node.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// The interval that still holds the root, and the rounds so far.
struct interval {
    unsigned long long low;
    unsigned long long high;
    int rounds;
};

/// One round; one thread.
/// @param go_on   condition of the WHILE node
/// @param number  whose root is wanted
/// @param in      the interval in device memory, changed
__global__ void bisect(cudaGraphConditionalHandle go_on, unsigned long long number,
                       interval* in) {
    // [task]
    const unsigned long long middle = in->low + (in->high - in->low) / 2;
    (middle * middle <= number ? in->low : in->high) = middle;
    cudaGraphSetConditional(go_on, in->high - in->low > 1);
    //= given
    //| const unsigned long long middle = in->low + (in->high - in->low) / 2;
    //| (middle * middle <= number ? in->low : in->high) = middle;
    //| (void)go_on;
    //= mutant one_round_only
    //| const unsigned long long middle = in->low + (in->high - in->low) / 2;
    //| (middle * middle <= number ? in->low : in->high) = middle;
    //| cudaGraphSetConditional(go_on, in->high - in->low <= 1);
    //= mutant stops_too_early
    //| const unsigned long long middle = in->low + (in->high - in->low) / 2;
    //| (middle * middle <= number ? in->low : in->high) = middle;
    //| cudaGraphSetConditional(go_on, in->high - in->low > 2);
    //= mutant squares_are_not_inside
    //| const unsigned long long middle = in->low + (in->high - in->low) / 2;
    //| (middle * middle < number ? in->low : in->high) = middle;
    //| cudaGraphSetConditional(go_on, in->high - in->low > 1);
    //= mutant old_length
    //| const unsigned long long middle = in->low + (in->high - in->low) / 2;
    //| cudaGraphSetConditional(go_on, in->high - in->low > 1);
    //| (middle * middle <= number ? in->low : in->high) = middle;
    // [/task]
}

// [guard]
/// Counts the rounds, and ends a loop that does not end by itself; one thread.
/// @param go_on  condition of the WHILE node
/// @param in     the interval in device memory
__global__ void guard(cudaGraphConditionalHandle go_on, interval* in) {
    if (++in->rounds >= 100) cudaGraphSetConditional(go_on, 0);
}
// [/guard]

int main() {
    lockstep::require_device();

    lockstep::exercise_verdict verdict;
    const lockstep::owned_stream stream;
    std::vector<unsigned long long> roots, expected;
    std::vector<int> rounds, expected_rounds;
    const std::vector<unsigned long long> numbers{2, 15, 16, 1'000'000};
    for (const unsigned long long number : numbers) {
        const unsigned long long high = number / 2 + 2;
        lockstep::device_buffer<interval> in(std::vector<interval>{{1, high, 0}});
        lockstep::check(cudaDeviceSynchronize());
        lockstep::owned_graph graph;
        cudaGraphConditionalHandle go_on{};
        lockstep::check(cudaGraphConditionalHandleCreate(&go_on, graph, 1,
                                                         cudaGraphCondAssignDefault));
        cudaGraphNodeParams loop{};
        loop.type = cudaGraphNodeTypeConditional;
        loop.conditional.handle = go_on;
        loop.conditional.type = cudaGraphCondTypeWhile;
        loop.conditional.size = 1;
        cudaGraphNode_t node = nullptr;
        lockstep::check(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
        const cudaGraph_t body = loop.conditional.phGraph_out[0];
        const cudaGraphNode_t round =
            lockstep::add_kernel_node(body, {}, 1, 1, bisect, go_on, number, in.data());
        lockstep::add_kernel_node(body, {round}, 1, 1, guard, go_on, in.data());
        lockstep::check(cudaGraphLaunch(graph.instantiate(), stream));
        lockstep::check(cudaStreamSynchronize(stream));
        roots.push_back(in.to_host()[0].low);
        rounds.push_back(in.to_host()[0].rounds);

        unsigned long long low = 1, top = high;
        int needed = 0;
        do {
            const unsigned long long middle = low + (top - low) / 2;
            (middle * middle <= number ? low : top) = middle;
            ++needed;
        } while (top - low > 1);
        expected.push_back(low);
        expected_rounds.push_back(needed);
    }
    const auto of_number = [&](const std::string& what) {
        return [&numbers, what](std::size_t i) {
            return what + std::to_string(numbers[i]);
        };
    };
    verdict.equal("roots", roots, expected, of_number("the root of "));
    verdict.equal("rounds", rounds, expected_rounds, of_number("the rounds for "));
    return verdict.finish();
}
