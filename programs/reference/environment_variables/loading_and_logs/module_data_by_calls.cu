// Which call of the driver API gives the variables of a module their memory? A module
// holds a variable of 1 GiB and two kernels, one of which uses it. A new process for
// each setting loads the module, then the kernel that does not use the variable, then
// the one that does, and prints after each call how much memory of the GPU it took.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <cuda.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_memory.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>

// [module]
// A variable of 1 GiB, and two kernels, as PTX.
constexpr char ptx[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .global .align 4 .b8 large[1073741824];
.visible .entry uses_large() { st.global.u32 [large], 1; ret; }
.visible .entry uses_nothing() { ret; }
)";
// [/module]

/// Runs in a new process: prints what each call takes.
void child() {
    lockstep::check(cudaFree(nullptr));  // starts the runtime, frees nothing
    const std::size_t before = lockstep::memory_in_use();
    const auto report_taken = [&] {
        const auto taken = static_cast<double>(lockstep::memory_in_use()) - before;
        std::printf("~%-11.2f", taken / (1 << 30));
    };
    // [calls]
    CUmodule module{};
    lockstep::check(cuModuleLoadData(&module, ptx));
    report_taken();
    CUfunction uses_nothing{};
    lockstep::check(cuModuleGetFunction(&uses_nothing, module, "uses_nothing"));
    report_taken();
    lockstep::check(cuFuncLoad(uses_nothing));
    report_taken();
    CUfunction uses_large{};
    lockstep::check(cuModuleGetFunction(&uses_large, module, "uses_large"));
    lockstep::check(cuFuncLoad(uses_large));
    report_taken();
    // [/calls]
    lockstep::check(cuModuleUnload(module));
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool is_child = options.flag("child");
    options.finish();
    lockstep::require_device();
    if (is_child) {
        child();
        return EXIT_SUCCESS;
    }

    std::printf("%-16s%-21s%-12s%-12s%-12s%s\n", "MODULE_LOADING",
                "MODULE_DATA_LOADING", "module, GiB", "handle, GiB", "kernel, GiB",
                "second kernel, GiB");
    bool right = true;
    const auto show = [&](const char* code, const char* data) {
        const lockstep::inherited loading("CUDA_MODULE_LOADING", code);
        const lockstep::inherited data_loading("CUDA_MODULE_DATA_LOADING", data);
        const std::string said = lockstep::output_of(argv[0], "--child");
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
