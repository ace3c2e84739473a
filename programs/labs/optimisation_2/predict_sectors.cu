// Global memory moves in sectors of 32 bytes. How many sectors does one load
// instruction of a warp touch? Answer for ten access patterns before you run them.
// Lanes are numbered 0 to 31, words have 4 bytes, and word 0 lies at the beginning of a
// sector.

#include <cstdint>
#include <set>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

/// The bytes that a lane asks for.
struct request {
    int first;  ///< number of the first byte
    int bytes;  ///< how many
};

/// The pattern's request of a lane.
__host__ __device__ request ask(int pattern, int lane) {
    switch (pattern) {
        case 0: return {4 * lane, 4};  // word lane
        case 1: return {4 * (31 - lane), 4};  // word 31 - lane
        case 2: return {4 * (lane + 2), 4};  // word lane + 2
        case 3: return {4 * 7, 4};  // word 7, all lanes
        case 4: return {4 * 2 * lane, 4};  // word 2 * lane
        case 5: return {4 * 8 * lane, 4};  // word 8 * lane
        case 6: return {4 * 1000 * lane, 4};  // word 1000 * lane
        case 7: return {8 * lane, 8};  // double lane
        case 8: return {16 * lane, 16};  // uint4 lane
        default: return {4 * (lane / 8 * 64), 4};  // word lane / 8 * 64
    }
}

constexpr const char* pattern_names[10] = {
    "word lane",     "word 31 - lane",    "word lane + 2",    "word 7, all lanes",
    "word 2 * lane", "word 8 * lane",     "word 1000 * lane", "double lane",
    "uint4 lane",    "word lane / 8 * 64"};

// [task]
constexpr int answers[10] = {
    4,  // word lane
    4,  // word 31 - lane
    5,  // word lane + 2
    1,  // word 7, all lanes
    8,  // word 2 * lane
    32,  // word 8 * lane
    32,  // word 1000 * lane
    8,  // double lane
    16,  // uint4 lane
    4,  // word lane / 8 * 64
};
//= given
//| constexpr int answers[10] = {
//|     0,  // word lane
//|     0,  // word 31 - lane
//|     0,  // word lane + 2
//|     0,  // word 7, all lanes
//|     0,  // word 2 * lane
//|     0,  // word 8 * lane
//|     0,  // word 1000 * lane
//|     0,  // double lane
//|     0,  // uint4 lane
//|     0,  // word lane / 8 * 64
//| };
//= mutant lines_of_128_bytes
//| constexpr int answers[10] = {1, 1, 2, 1, 2, 8, 32, 2, 4, 4};
//= mutant stride_goes_on
//| constexpr int answers[10] = {4, 4, 5, 1, 8, 32, 4000, 8, 16, 4};
// [/task]

/// Each lane stores the address that it reads.
/// @param pattern    number of the pattern
/// @param data       in device memory, aligned to 32 bytes
/// @param addresses  32 addresses in device memory, written
__global__ void look(int pattern, const char* data, const char** addresses) {
    addresses[threadIdx.x] = data + ask(pattern, threadIdx.x).first;
}

int main() {
    lockstep::require_device();

    const lockstep::device_buffer<char> data(1 << 17);
    lockstep::device_buffer<const char*> addresses(32);
    lockstep::exercise_verdict verdict;
    for (int pattern = 0; pattern < static_cast<int>(std::size(answers)); ++pattern) {
        look<<<1, 32>>>(pattern, data.data(), addresses.data());
        lockstep::check(cudaGetLastError());
        std::set<std::uintptr_t> sectors;
        const std::vector<const char*> read = addresses.to_host();
        for (int lane = 0; lane < 32; ++lane)
            for (int byte = 0; byte < ask(pattern, lane).bytes; ++byte)
                sectors.insert((reinterpret_cast<std::uintptr_t>(read[lane]) + byte) /
                               32);
        verdict.equal(pattern_names[pattern], std::vector<int>{answers[pattern]},
                      std::vector<int>{static_cast<int>(sectors.size())});
    }
    return verdict.finish();
}
