// What do the votes, matches and reductions of a warp return if only some lanes take
// part? Lanes 0 to 19 do. Lanes 20 to 31 skip the calls: their values count nowhere,
// their bits are 0 in each result, and they receive nothing.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>  // unused; goes with the next recording
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// What one lane received; 0xFFFFFFFF where it took no part.
struct received {
    unsigned ballot, all, any;                           ///< votes
    unsigned match_any, match_zeros, match_nans;         ///< __match_any_sync
    unsigned match_same, all_same, match_lanes, all_lanes;  ///< __match_all_sync
    unsigned sum, least, greatest, greatest_unsigned;    ///< arithmetic reductions
    unsigned common, joined, odd;                        ///< and, or, xor
};

/// One warp, of which 20 lanes take part.
/// @param results  one element for each lane in device memory
__global__ void combine(received* results) {
    const int lane = threadIdx.x;
    // [votes-and-matches]
    constexpr unsigned mask = 0x000fffff;
    if (lane >= 20) return;  // the mask follows from this condition
    received& r = results[lane];

    r.ballot = __ballot_sync(mask, lane % 4 == 0);
    r.all = __all_sync(mask, lane < 20);
    r.any = __any_sync(mask, lane == 25);

    int same;
    r.match_any = __match_any_sync(mask, lane / 8);
    r.match_zeros = __match_any_sync(mask, lane == 0 ? -0.0f : 0.0f);
    r.match_nans = __match_any_sync(mask, __int_as_float(0x7fc00000 + (lane == 0)));
    r.match_same = __match_all_sync(mask, 7, &same);
    r.all_same = same;
    r.match_lanes = __match_all_sync(mask, lane, &same);
    r.all_lanes = same;
    // [/votes-and-matches]

    // [reductions]
    r.sum = __reduce_add_sync(mask, lane);
    r.least = __reduce_min_sync(mask, lane - 5);
    r.greatest = __reduce_max_sync(mask, lane - 5);
    r.greatest_unsigned = __reduce_max_sync(mask, static_cast<unsigned>(lane - 5));
    r.common = __reduce_and_sync(mask, 0x40u | lane);
    r.joined = __reduce_or_sync(mask, 1u << lane);
    r.odd = __reduce_xor_sync(mask, lane < 3 ? 1u : 0u);
    // [/reductions]
}

/// Prints a mask of lanes as eight hexadecimal digits.
void report_mask(const char* label, unsigned mask) {
    char text[16];
    std::snprintf(text, sizeof text, "%08x", mask);
    lockstep::report(label, text);
}

int main() {
    lockstep::require_device(80);

    lockstep::device_buffer<received> d_results(32);
    d_results.fill_bytes(0xFF);
    combine<<<1, 32>>>(d_results.data());
    lockstep::check(cudaGetLastError());
    const std::vector<received> results = d_results.to_host();
    const received &first = results[0], &last = results[19], &absent = results[31];

    report_mask("ballot of lane % 4 == 0", first.ballot);
    lockstep::report("all of lane < 20", first.all != 0);
    lockstep::report("any of lane == 25", first.any != 0);
    report_mask("match_any lane / 8, lane 0", first.match_any);
    report_mask("match_any lane / 8, lane 19", last.match_any);
    report_mask("match_any 0.0f, lane 19", last.match_zeros);
    report_mask("match_any NaN, lane 19", last.match_nans);
    report_mask("match_all of 7", first.match_same);
    report_mask("match_all of lane", first.match_lanes);
    lockstep::report("add of lane", first.sum);
    lockstep::report("min of lane - 5", static_cast<int>(first.least));
    lockstep::report("max of lane - 5", static_cast<int>(first.greatest));
    lockstep::report("max of unsigned(lane - 5)", first.greatest_unsigned);
    report_mask("and of 0x40 | lane", first.common);
    report_mask("or of 1 << lane", first.joined);
    lockstep::report("xor of three ones", first.odd);
    lockstep::report("lane 31 received something", absent.ballot != 0xFFFFFFFF);

    const bool votes = first.ballot == 0x00011111 && first.all && !first.any;
    const bool matches = first.match_any == 0xff && last.match_any == 0xf0000 &&
                         first.match_zeros == 1 && last.match_zeros == 0xffffe &&
                         last.match_nans == 0xffffe && first.match_same == 0xfffff &&
                         first.all_same && first.match_lanes == 0 && !first.all_lanes;
    const bool reductions = first.sum == 190 && first.least == -5u &&
                            first.greatest == 14 && first.greatest_unsigned == -1u &&
                            first.common == 0x40 && first.joined == 0xfffff &&
                            first.odd == 1;
    const bool untouched = absent.ballot == 0xFFFFFFFF && absent.odd == 0xFFFFFFFF;
    return votes && matches && reductions && untouched ? EXIT_SUCCESS : EXIT_FAILURE;
}
