// What does just-in-time compilation cost, and how often? This program holds PTX only.
// It starts itself twice with a cache folder of its own: in the first process the first
// launch waits for the driver's compiler, in the second the driver takes the machine
// code from the cache.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// A kernel that is long to compile and short to run.
/// @param seed  any number; 64 takes no branch
/// @param out   one number on the device
__global__ void long_to_compile(std::uint32_t seed, std::uint32_t* out) {
    std::uint32_t state = seed;
#pragma unroll
    for (std::uint32_t bit = 0; bit < 6; ++bit) {
        if (((seed >> bit) & 1) == 0) continue;
        // 1200 steps, each with constants of its own
#pragma unroll
        for (std::uint32_t step = 1; step <= 200; ++step)
            state = (state ^ (state >> (step % 15 + 1))) *
                        (2654435761u + 2 * step + 1000 * bit) +
                    step;
    }
    *out = state;
}
// [/kernel]

// [child]
/// Times the first launch in this process and prints it.
/// @return exit status
int first_launch() {
    // creates the context before the clock starts
    lockstep::device_buffer<std::uint32_t> d_out(1);
    d_out.fill_bytes(0xFF);
    lockstep::check(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    long_to_compile<<<1, 1>>>(64, d_out.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    const auto end = std::chrono::steady_clock::now();
    std::printf("%f\n", std::chrono::duration<double, std::milli>(end - begin).count());
    return d_out.to_host()[0] == 64 ? EXIT_SUCCESS : EXIT_FAILURE;
}
// [/child]

// [parent]
/// Runs this program's first_launch() in a new process.
/// @param program  path of this program
/// @param cache    folder for the driver's compute cache
/// @return time of its first launch in milliseconds; negative if it failed
double in_new_process(const std::string& program, const std::string& cache) {
    const std::string command =
        "CUDA_CACHE_PATH='" + cache + "' '" + program + "' --child";
    std::FILE* pipe = popen(command.c_str(), "r");
    double milliseconds = -1;
    if (pipe && std::fscanf(pipe, "%lf", &milliseconds) != 1) milliseconds = -1;
    return pipe && pclose(pipe) == 0 ? milliseconds : -1;
}
// [/parent]

/// Bytes in all files below a folder.
/// @param folder  must exist
std::uintmax_t bytes_in(const std::filesystem::path& folder) {
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) bytes += entry.file_size();
    return bytes;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool child = options.flag("child");
    options.finish();
    lockstep::require_device();
    if (child) return first_launch();

    char folder[] = "/tmp/lockstep-jit-XXXXXX";
    if (!mkdtemp(folder)) return EXIT_FAILURE;
    // [twice]
    const std::uintmax_t bytes_before = bytes_in(folder);
    const double first_ms = in_new_process(argv[0], folder);
    const std::uintmax_t bytes_between = bytes_in(folder);
    const double second_ms = in_new_process(argv[0], folder);
    // [/twice]
    std::filesystem::remove_all(folder);

    lockstep::report("cache before", bytes_before, "bytes");
    lockstep::report("first launch, empty cache", lockstep::measured{first_ms}, "ms");
    lockstep::report("cache filled", bytes_between > 0);
    lockstep::report("first launch, full cache", lockstep::measured{second_ms}, "ms");
    const bool ran = first_ms > 0 && second_ms > 0;
    return ran && bytes_before == 0 && bytes_between > 0 && first_ms > 2 * second_ms
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
