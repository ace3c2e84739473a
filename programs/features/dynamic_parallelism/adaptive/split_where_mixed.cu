// An array of zeros and ones is to be cut into segments of only one kind, as large as
// possible by halving: a segment that is mixed is divided into two halves. Each segment
// is visited by a block. As given, mixed segments are left as they are. Launch a grid
// of two blocks for the halves of a mixed segment, and of no other.

#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 256;

/// Visits segments of one length, side by side; one thread a block.
/// @param begin   first element of the first segment
/// @param length  of each segment, a power of two
/// @param ones    n + 1 ints in device memory: number of ones before each element
/// @param leaves  n ints in device memory; a segment that is not divided writes its
///                length at its first element
/// @param visits  an int in device memory: number of segments visited
__global__ void visit(int begin, int length, const int* ones, int* leaves,
                      int* visits) {
    const int from = begin + static_cast<int>(blockIdx.x) * length;
    const int inside = ones[from + length] - ones[from];
    [[maybe_unused]] const bool mixed = inside != 0 && inside != length;
    atomicAdd(visits, 1);
    // [task]
    if (mixed)
        visit<<<2, 1>>>(from, length / 2, ones, leaves, visits);
    else
        leaves[from] = length;
    //= given
    //| // A mixed segment needs two more blocks.
    //| leaves[from] = length;
    //= mutant always
    //| if (length > 1)
    //|     visit<<<2, 1>>>(from, length / 2, ones, leaves, visits);
    //| else
    //|     leaves[from] = length;
    //= mutant first_half_only
    //| if (mixed)
    //|     visit<<<1, 1>>>(from, length / 2, ones, leaves, visits);
    //| else
    //|     leaves[from] = length;
    //= mutant from_the_beginning
    //| if (mixed)
    //|     visit<<<2, 1>>>(begin, length / 2, ones, leaves, visits);
    //| else
    //|     leaves[from] = length;
    //= mutant same_length
    //| if (mixed && length > 1)
    //|     visit<<<2, 1>>>(from, length / 4, ones, leaves, visits);
    //| else
    //|     leaves[from] = length;
    // [/task]
}

/// The same on the host.
/// @param from, length  the segment
/// @param ones          n + 1 ints
/// @param leaves        n ints, written
/// @return number of segments visited
static int visit_on_host(int from, int length, const std::vector<int>& ones,
                         std::vector<int>& leaves) {
    const int inside = ones[from + length] - ones[from];
    if (inside != 0 && inside != length) {
        const int half = length / 2;
        return 1 + visit_on_host(from, half, ones, leaves) +
               visit_on_host(from + half, half, ones, leaves);
    }
    leaves[from] = length;
    return 1;
}

int main() {
    lockstep::require_device();

    std::vector<int> ones(n + 1), expected(n, -1);
    for (int i = 0; i < n; ++i) {  // in groups of eight, and a few exceptions
        const bool one = lockstep::random_word(i / 8) % 3 == 0 || i == 77 || i == 200;
        ones[i + 1] = ones[i] + one;
    }
    const int expected_visits = visit_on_host(0, n, ones, expected);
    lockstep::device_buffer<int> d_ones(ones), d_leaves(n), d_visits(1);
    d_leaves.fill_bytes(0xFF);
    d_visits.fill_bytes(0);
    visit<<<1, 1>>>(0, n, d_ones.data(), d_leaves.data(), d_visits.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());

    lockstep::exercise_verdict verdict(-1);
    verdict.equal("segments", d_leaves.to_host(), expected,
                  lockstep::numbered("the length at element"));
    verdict.equal("segments visited", d_visits.to_host(),
                  std::vector<int>{expected_visits});
    return verdict.finish();
}
