// Kernels in several streams run at the same time, and each has a table that is to stay
// in L2. Write the function that makes the window of one of them: no larger than the
// device allows, and with a hit ratio with which all tables together make no more lines
// persisting than the set-aside holds. The set-aside is divided evenly.

#include <algorithm>
#include <cstddef>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t mib = 1 << 20;

/// The window of one of several kernels that run at the same time.
/// @param table      the kernel's table in device memory
/// @param bytes      its size
/// @param largest    the largest window that the device allows, in bytes
/// @param set_aside  the set-aside, in bytes
/// @param kernels    how many kernels share it, each with such a table
cudaAccessPolicyWindow fitted_window(void* table, std::size_t bytes,
                                     [[maybe_unused]] std::size_t largest,
                                     [[maybe_unused]] std::size_t set_aside,
                                     [[maybe_unused]] int kernels) {
    cudaAccessPolicyWindow window{};
    // [task]
    window.base_ptr = table;
    window.num_bytes = std::min(bytes, largest);
    const double room = static_cast<double>(set_aside) / kernels;
    window.hitRatio =
        static_cast<float>(std::min(1.0, room / static_cast<double>(window.num_bytes)));
    window.hitProp = cudaAccessPropertyPersisting;
    window.missProp = cudaAccessPropertyStreaming;
    //= given
    //| window.base_ptr = table;
    //| window.num_bytes = bytes;
    //| window.hitRatio = 1;
    //| window.hitProp = cudaAccessPropertyPersisting;
    //| window.missProp = cudaAccessPropertyStreaming;
    //= mutant alone
    //| window.base_ptr = table;
    //| window.num_bytes = std::min(bytes, largest);
    //| window.hitRatio = static_cast<float>(
    //|     std::min(1.0, static_cast<double>(set_aside) / window.num_bytes));
    //| window.hitProp = cudaAccessPropertyPersisting;
    //| window.missProp = cudaAccessPropertyStreaming;
    //= mutant ratio_of_the_table
    //| window.base_ptr = table;
    //| window.num_bytes = std::min(bytes, largest);
    //| const double room = static_cast<double>(set_aside) / kernels;
    //| window.hitRatio = static_cast<float>(std::min(1.0, room / bytes));
    //| window.hitProp = cudaAccessPropertyPersisting;
    //| window.missProp = cudaAccessPropertyStreaming;
    //= mutant above_one
    //| window.base_ptr = table;
    //| window.num_bytes = std::min(bytes, largest);
    //| const double room = static_cast<double>(set_aside) / kernels;
    //| window.hitRatio = static_cast<float>(room / window.num_bytes);
    //| window.hitProp = cudaAccessPropertyPersisting;
    //| window.missProp = cudaAccessPropertyStreaming;
    //= mutant misses_normal
    //| window.base_ptr = table;
    //| window.num_bytes = std::min(bytes, largest);
    //| const double room = static_cast<double>(set_aside) / kernels;
    //| window.hitRatio =
    //|     static_cast<float>(std::min(1.0, room / window.num_bytes));
    //| window.hitProp = cudaAccessPropertyPersisting;
    //| window.missProp = cudaAccessPropertyNormal;
    // [/task]
    return window;
}

int main() {
    lockstep::require_device();
    lockstep::device_buffer<char> d_table(1);
    lockstep::exercise_verdict verdict;
    const auto verify = [&](const char* what, std::size_t bytes, int kernels,
                            std::size_t expected_bytes, float expected_ratio) {
        const cudaAccessPolicyWindow found =
            fitted_window(d_table.data(), bytes, 128 * mib, 32 * mib, kernels);
        const bool properties = found.base_ptr == d_table.data() &&
                                found.hitProp == cudaAccessPropertyPersisting &&
                                found.missProp == cudaAccessPropertyStreaming;
        verdict.holds(what, properties,
                      "begin at the table; hits persisting, misses streaming");
        verdict.equal("  bytes", std::vector<std::size_t>{found.num_bytes},
                      std::vector<std::size_t>{expected_bytes});
        verdict.equal("  ratio", std::vector<float>{found.hitRatio},
                      std::vector<float>{expected_ratio}, 1e-6);
    };
    verify("8 MiB, alone", 8 * mib, 1, 8 * mib, 1);
    verify("64 MiB, alone", 64 * mib, 1, 64 * mib, 0.5f);
    verify("16 MiB, two kernels", 16 * mib, 2, 16 * mib, 1);
    verify("32 MiB, two kernels", 32 * mib, 2, 32 * mib, 0.5f);
    verify("256 MiB, two kernels", 256 * mib, 2, 128 * mib, 0.125f);
    return verdict.finish();
}
