// Where does managed memory lie before a kernel uses it? A new process for each value
// of CUDA_MANAGED_FORCE_DEVICE_ALLOC allocates 256 MiB, writes them on the host, adds
// them up in a kernel, and prints after each step how much memory of the GPU is taken.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_memory.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t n = std::size_t(1) << 26;

/// Adds up n whole numbers.
/// @param data  n ints in managed memory
/// @param sum   one sum on the device, 0 before
__global__ void add_up(const int* data, unsigned long long* sum) {
    unsigned long long own = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        own += data[i];
    atomicAdd(sum, own);
}

/// Runs in a new process: prints what each step takes.
/// @return exit status
int child() {
    lockstep::device_buffer<unsigned long long> d_sum(1);
    d_sum.fill_bytes(0);
    // [steps]
    const std::size_t before = lockstep::free_memory();
    const auto report_taken = [&] {
        const auto taken = static_cast<double>(before) - lockstep::free_memory();
        std::printf(" %11s%-4.0f", "~", taken / (1 << 20));
    };
    int* data = nullptr;
    lockstep::check(cudaMallocManaged(&data, n * sizeof(int)));
    report_taken();
    for (std::size_t i = 0; i < n; ++i) data[i] = 1;
    report_taken();
    add_up<<<1024, 256>>>(data, d_sum.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    report_taken();
    // [/steps]
    const bool right = d_sum.to_host()[0] == n;
    std::printf("  %s", right ? "right" : "wrong");
    lockstep::check(cudaFree(data));
    return EXIT_SUCCESS;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool is_child = options.flag("child");
    options.finish();
    lockstep::require_device();
    if (is_child) return child();

    std::printf("%-10s%17s%17s%16s  %s\n", "value", "allocated, MiB", "written, MiB",
                "read, MiB", "sum");
    bool right = true;
    for (const char* value : {"unset", "1"}) {
        const lockstep::inherited variable("CUDA_MANAGED_FORCE_DEVICE_ALLOC",
                                           *value == 'u' ? nullptr : value);
        const std::string said = lockstep::output_of(argv[0], "--child");
        std::printf("%-10s%s\n", value, said.c_str());
        right &= said.find("right") != std::string::npos;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
