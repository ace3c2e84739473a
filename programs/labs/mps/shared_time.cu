// Did two processes share the GPU? Each has stamped when its kernels ran, as spans of
// nanoseconds on the GPU's clock; the spans of one process do not overlap. Write the
// kernel that computes for how long both ran, in nanoseconds: thread i takes span i of
// process A, and compares it with all spans of process B.

#include <algorithm>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

using ns = unsigned long long;

/// When a kernel ran.
struct span {
    ns begin;
    ns end;
};

/// Adds up the time in which both ran.
/// @param n     number of spans of each process
/// @param a, b  n spans of each process in device memory
/// @param both  the time in nanoseconds in device memory, 0 before
__global__ void add_shared_time(int n, const span* a, const span* b, ns* both) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // [task]
    if (i >= n) return;
    ns sum = 0;
    for (int k = 0; k < n; ++k) {
        const ns from = max(a[i].begin, b[k].begin);
        const ns until = min(a[i].end, b[k].end);
        if (until > from) sum += until - from;  // unsigned: never less than 0
    }
    atomicAdd(both, sum);
    //= given
    //| if (i < n) atomicAdd(both, a[i].end - a[i].begin + 0 * b[i].begin);
    //= mutant same_number_only
    //| if (i >= n) return;
    //| const ns from = max(a[i].begin, b[i].begin);
    //| const ns until = min(a[i].end, b[i].end);
    //| if (until > from) atomicAdd(both, until - from);
    //= mutant below_zero
    //| if (i >= n) return;
    //| ns sum = 0;
    //| for (int k = 0; k < n; ++k)
    //|     sum += min(a[i].end, b[k].end) - max(a[i].begin, b[k].begin);
    //| atomicAdd(both, sum);
    //= mutant from_first_to_last
    //| if (i == 0)
    //|     atomicAdd(both, min(a[n - 1].end, b[n - 1].end) -
    //|                         max(a[0].begin, b[0].begin));
    //= mutant no_atomic
    //| if (i >= n) return;
    //| for (int k = 0; k < n; ++k) {
    //|     const ns from = max(a[i].begin, b[k].begin);
    //|     const ns until = min(a[i].end, b[k].end);
    //|     if (until > from) *both += until - from;
    //| }
    // [/task]
}

/// Spans of one process: kernels of about `work` ns, with pauses of about `pause` ns.
std::vector<span> made(int n, ns start, ns work, ns pause, int seed) {
    std::vector<span> spans;
    for (int i = 0; i < n; ++i) {
        start += pause / 2 + lockstep::random_word(2 * i, seed) % (pause + 1);
        const ns end = start + work / 2 + lockstep::random_word(2 * i + 1, seed) % work;
        spans.push_back({start, end});
        start = end;
    }
    return spans;
}

int main() {
    lockstep::require_device();

    constexpr ns day = 86'400'000'000'000;  // the clock does not begin at 0
    constexpr int n = 70;
    std::vector<span> taking_turns[2];
    for (int i = 0; i < 2 * n; ++i)
        taking_turns[i % 2].push_back({day + 1000 * ns(i), day + 1000 * ns(i) + 990});
    const struct {
        const char* name;
        std::vector<span> a, b;
        const char* advice;
    } cases[] = {
        {"taking turns", taking_turns[0], taking_turns[1],
         "these two never ran at the same time: what does a pair add that is apart?"},
        {"together", made(n, day, 5000, 40, 1), made(n, day, 5000, 40, 2),
         "a kernel of A can meet several kernels of B"},
        {"short and long", made(n, day, 400, 9000, 3), made(n, day, 9000, 400, 4),
         "a kernel of A can lie within one of B"},
    };
    lockstep::exercise_verdict verdict;
    for (const auto& [name, a, b, advice] : cases) {
        const lockstep::device_buffer<span> d_a(a), d_b(b);
        lockstep::device_buffer<ns> d_both(std::vector<ns>{0});
        add_shared_time<<<3, 32>>>(n, d_a.data(), d_b.data(), d_both.data());
        lockstep::check(cudaGetLastError());
        // both lists are in order: go through them side by side
        ns expected = 0;
        for (int i = 0, k = 0; i < n && k < n;) {
            const ns from = std::max(a[i].begin, b[k].begin);
            const ns until = std::min(a[i].end, b[k].end);
            if (until > from) expected += until - from;
            a[i].end < b[k].end ? ++i : ++k;
        }
        verdict.holds(name, d_both.to_host()[0] == expected, advice);
    }
    return verdict.finish();
}
