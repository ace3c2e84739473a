// How do DPX functions compute the alignment of two sequences? The score of each cell
// of a table is the largest of three sums and 0: one addition, __viaddmax_s32 and
// __viaddmax_s32_relu. A warp computes the table along its diagonals, and finds the
// score that a loop on the host finds.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int match = 3, mismatch = -2, gap = -4;

// [kernel]
/// One warp; lane i has character i of the pattern, and computes row i of the table.
/// @param pattern  32 characters in device memory
/// @param text     `length` characters in device memory
/// @param length   number of characters of the text
/// @param best     one int in device memory: the largest score
__global__ void align(const char* pattern, const char* text, int length, int* best) {
    const int lane = threadIdx.x;
    const char mine = pattern[lane];
    int left = 0, above_left = 0, largest = 0;
    for (int step = 0; step < length + 31; ++step) {
        int above = __shfl_up_sync(0xffffffff, left, 1);  // what lane - 1 just computed
        if (lane == 0) above = 0;
        const int column = step - lane;
        if (column >= 0 && column < length) {
            const int score = mine == text[column] ? match : mismatch;
            int cell = __viaddmax_s32(left, gap, above + gap);
            cell = __viaddmax_s32_relu(above_left, score, cell);
            largest = max(largest, cell);
            left = cell;
        }
        above_left = above;
    }
    largest = __reduce_max_sync(0xffffffff, largest);
    if (lane == 0) *best = largest;
}
// [/kernel]

/// The same score, row by row.
int best_on_host(const std::string& pattern, const std::string& text) {
    std::vector<int> above(text.size() + 1, 0), row(text.size() + 1, 0);
    int best = 0;
    for (const char character : pattern) {
        for (std::size_t j = 1; j <= text.size(); ++j) {
            const int score = character == text[j - 1] ? match : mismatch;
            row[j] =
                std::max({0, above[j - 1] + score, above[j] + gap, row[j - 1] + gap});
            best = std::max(best, row[j]);
        }
        std::swap(above, row);
    }
    return best;
}

int main() {
    lockstep::require_device(80);

    const std::string pattern = "GATTACAGATTTACAGGCCATTAGACCATGGA";  // 32 characters
    std::string text;
    unsigned state = 7;
    for (int i = 0; i < 500; ++i) {
        state = state * 1664525 + 1013904223;
        text += "ACGT"[state >> 30];
    }
    text.replace(200, 30, "GATTACAGATTACAGGCCTTTAGACCATGG");  // one gap, one mismatch

    const lockstep::device_buffer<char> d_pattern({pattern.begin(), pattern.end()});
    const lockstep::device_buffer<char> d_text({text.begin(), text.end()});
    lockstep::device_buffer<int> d_best(1);
    d_best.fill_bytes(0xFF);
    align<<<1, 32>>>(d_pattern.data(), d_text.data(), static_cast<int>(text.size()),
                     d_best.data());
    lockstep::check(cudaGetLastError());
    const int best = d_best.to_host()[0], expected = best_on_host(pattern, text);
    lockstep::report("best score, by the warp", best);
    lockstep::report("best score, by the host", expected);
    return best == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
