// Copy an array with accesses of 16 bytes. The number of words is not a multiple of
// four, so the last ones are copied one by one. With few threads on the GPU, the wide
// accesses must be at least twice as fast as the narrow ones.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

/// Copies word by word; the reference.
/// @param n     number of words
/// @param from  n words in device memory, aligned to 16 bytes
/// @param to    n words in device memory, aligned to 16 bytes
__global__ void copy_words(std::size_t n, const std::uint32_t* from,
                           std::uint32_t* to) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
         i += step)
        to[i] = from[i];
}

/// Copies an array.
/// @param n     number of words
/// @param from  n words in device memory, aligned to 16 bytes
/// @param to    n words in device memory, aligned to 16 bytes
__global__ void copy(std::size_t n, const std::uint32_t* from, std::uint32_t* to) {
    const std::size_t thread = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    // [task]
    const auto* from4 = reinterpret_cast<const uint4*>(from);
    auto* to4 = reinterpret_cast<uint4*>(to);
    for (std::size_t i = thread; i < n / 4; i += step) to4[i] = from4[i];
    if (thread < n % 4) to[n - 1 - thread] = from[n - 1 - thread];
    //= given
    //| for (std::size_t i = thread; i < n; i += step) to[i] = from[i];
    //= mutant no_tail
    //| const auto* from4 = reinterpret_cast<const uint4*>(from);
    //| auto* to4 = reinterpret_cast<uint4*>(to);
    //| for (std::size_t i = thread; i < n / 4; i += step) to4[i] = from4[i];
    //= mutant rounded_up
    //| const auto* from4 = reinterpret_cast<const uint4*>(from);
    //| auto* to4 = reinterpret_cast<uint4*>(to);
    //| for (std::size_t i = thread; i < (n + 3) / 4; i += step) to4[i] = from4[i];
    // [/task]
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t n = options.integer<std::size_t>("n", (1 << 26) + 3, 1, 1 << 28);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    constexpr std::size_t guard = 8;
    lockstep::device_buffer<std::uint32_t> from(n + guard);
    lockstep::device_buffer<std::uint32_t> to(n + guard);
    lockstep::fill_random(from.data(), n + guard);
    to.fill_bytes(0xFF);
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const auto mine = [&] { copy<<<sms, 256>>>(n, from.data(), to.data()); };
    const auto words = [&] { copy_words<<<sms, 256>>>(n, from.data(), to.data()); };
    mine();
    lockstep::check(cudaGetLastError());
    std::vector<std::uint32_t> expected = from.to_host();
    for (std::size_t i = n; i < n + guard; ++i) expected[i] = 0xFFFFFFFF;

    lockstep::exercise_verdict verdict(0xFFFFFFFF);
    const auto place = [n](std::size_t i) {
        return i < n ? "word " + std::to_string(i)
                     : "word " + std::to_string(i - n) + " after the end";
    };
    verdict.equal("copy and the words after it", to.to_host(), expected, place);
    if (!untimed) {
        const double before = lockstep::time_on_device(words).median_ms;
        const double now = lockstep::time_on_device(mine).median_ms;
        verdict.at_least("speedup over single words", before / now, 2,
                         "how many bytes does one instruction ask for?");
    }
    return verdict.finish();
}
