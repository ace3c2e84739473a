// A particle has eight numbers, and each step of this kernel uses two of them. All
// eight numbers of a particle lie next to each other (an array of structures), so most
// of each fetched sector is not used. Kernel and check ask the function `place` where a
// number lies. Give the numbers other places, and the kernel becomes faster although it
// does not change.

#include <cstddef>
#include <string>
#include <vector>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int fields = 8;  // position, speed, and six that are not used here

/// Where a number lay before.
__host__ __device__ std::size_t place_before(std::size_t /*n*/, std::size_t particle,
                                             int field) {
    return particle * fields + field;
}

// [task]
/// Where a number lies.
/// @param n         number of particles
/// @param particle  which one, less than n
/// @param field     which of its numbers, less than fields
/// @return a place below n * fields, another one for each number
__host__ __device__ std::size_t place(std::size_t n, std::size_t particle, int field) {
    return field * n + particle;
}
//= given
//| /// Where a number lies.
//| /// @param n         number of particles
//| /// @param particle  which one, less than n
//| /// @param field     which of its numbers, less than fields
//| /// @return a place below n * fields, another one for each number
//| __host__ __device__ std::size_t place(std::size_t /*n*/, std::size_t particle,
//|                                       int field) {
//|     return particle * fields + field;
//| }
//= mutant fields_on_each_other
//| __host__ __device__ std::size_t place(std::size_t, std::size_t particle,
//|                                       int field) {
//|     return particle + field;
//| }
//= mutant whole_groups_only
//| __host__ __device__ std::size_t place(std::size_t n, std::size_t particle,
//|                                       int field) {
//|     return (particle / 32 * fields + field) * 32 + particle % 32 -
//|            (particle >= n / 32 * 32 ? 32 : 0);
//| }
// [/task]

/// Moves each particle.
/// @param n         number of particles
/// @param time      of the step
/// @param numbers   n * fields floats in device memory, changed in place
/// @param where     place or place_before
template <class Place>
__global__ void move(std::size_t n, float time, float* numbers, Place where) {
    const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    if (i < n) numbers[where(n, i, 0)] += time * numbers[where(n, i, 1)];
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t n = options.integer<std::size_t>("n", 4'000'003, 1, 1 << 25);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    const auto before = [] __host__ __device__(std::size_t all, std::size_t i, int k) {
        return place_before(all, i, k);
    };
    const auto now = [] __host__ __device__(std::size_t all, std::size_t i, int k) {
        return place(all, i, k);
    };
    std::vector<float> numbers(n * fields);
    std::vector<float> expected(n * fields);  // particle by particle
    lockstep::exercise_verdict verdict;
    std::vector<bool> taken(n * fields);
    std::string problem;
    for (std::size_t i = 0; i < n && problem.empty(); ++i)
        for (int field = 0; field < fields && problem.empty(); ++field) {
            const std::size_t at = place(n, i, field);
            if (at >= taken.size() || taken[at]) {
                problem = "particle " + std::to_string(i) + ", field " +
                          std::to_string(field) + " has place " + std::to_string(at) +
                          (at < taken.size() ? ", which another number has"
                                             : ", which is beyond the end");
            } else {
                taken[at] = true;
                numbers[at] = static_cast<float>((i * 7 + field * 13) % 1000);
                expected[i * fields + field] = numbers[at];
            }
        }
    verdict.holds("a place for each number", problem.empty(), problem.c_str());
    if (!problem.empty()) return verdict.finish();
    for (std::size_t i = 0; i < n; ++i)
        expected[i * fields] += 0.5F * expected[i * fields + 1];

    lockstep::device_buffer<float> mine(numbers);
    const auto blocks = static_cast<unsigned>((n + 255) / 256);
    move<<<blocks, 256>>>(n, 0.5F, mine.data(), now);
    lockstep::check(cudaGetLastError());
    const std::vector<float> moved = mine.to_host();
    std::vector<float> found(n * fields);
    for (std::size_t i = 0; i < n; ++i)
        for (int field = 0; field < fields; ++field)
            found[i * fields + field] = moved[place(n, i, field)];
    verdict.equal("numbers after a step", found, expected,
                  lockstep::in_groups(fields, "particle", "field"));
    if (!untimed) {
        lockstep::device_buffer<float> old(numbers);
        const double slow = lockstep::time_back_to_back([&] {
                                move<<<blocks, 256>>>(n, 0.5F, old.data(), before);
                            }).median_ms;
        const double fast = lockstep::time_back_to_back([&] {
                                move<<<blocks, 256>>>(n, 0.5F, mine.data(), now);
                            }).median_ms;
        verdict.at_least("speedup over old layout", slow / fast, 2,
                         "which words do neighboring lanes read?");
    }
    return verdict.finish();
}
