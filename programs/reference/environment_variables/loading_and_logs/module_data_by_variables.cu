// When do the variables of a module get their memory? A module holds a variable of 1
// GiB and two kernels, one of which uses it. A new process for each setting starts the
// runtime, loads the kernel that does not use the variable, launches the one that does,
// and prints after each step how much memory of the GPU the process has taken.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/device_memory.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>

// [module]
__device__ char large[1 << 30];

/// Touches the large variable.
__global__ void uses_large() { large[threadIdx.x] = 1; }

/// Does nothing.
__global__ void uses_nothing() {}
// [/module]

/// Runs in a new process: prints what each step takes.
/// @param before  bytes of the GPU that were in use before this process
void child(double before) {
    const auto report_taken = [&] {
        std::printf(
            "~%-16.2f",
            (static_cast<double>(lockstep::memory_in_use()) - before) / (1 << 30));
    };
    // [steps]
    lockstep::check(cudaFree(nullptr));  // starts the runtime, frees nothing
    report_taken();
    lockstep::load_kernels(uses_nothing);
    report_taken();
    uses_large<<<1, 1>>>();
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    report_taken();
    // [/steps]
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int before_mib = options.integer("child", -1, -1, 1 << 30);
    options.finish();
    lockstep::require_device();
    if (before_mib >= 0) {
        child(before_mib * double(1 << 20));
        return EXIT_SUCCESS;
    }

    lockstep::check(cudaFree(nullptr));
    const std::string arguments =
        "--child " + std::to_string(lockstep::memory_in_use() >> 20);
    std::printf("%-16s%-21s%-17s%-17s%s\n", "MODULE_LOADING", "MODULE_DATA_LOADING",
                "started, GiB", "loaded, GiB", "launched, GiB");
    bool right = true;
    const auto show = [&](const char* code, const char* data) {
        const lockstep::inherited loading("CUDA_MODULE_LOADING", code);
        const lockstep::inherited data_loading("CUDA_MODULE_DATA_LOADING", data);
        const std::string said = lockstep::output_of(argv[0], arguments);
        std::printf("%-16s%-21s%s\n", code ? code : "unset", data ? data : "unset",
                    said.c_str());
        right &= !said.empty();
    };
    // [settings]
    show(nullptr, nullptr);
    show(nullptr, "EAGER");
    show("EAGER", nullptr);
    show("EAGER", "LAZY");
    // [/settings]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
