// Can a program compile CUDA C++ that it only gets to know while it runs? Yes: NVRTC is
// nvcc's compiler as a library. Source text goes in, PTX comes out, the driver makes
// machine code of it. A mistake in the source comes back as a log, and the program goes
// on.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <nvrtc.h>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/nvrtc.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [compile]
/// Compiles CUDA C++ to PTX and prints the compiler's log, if it wrote one.
/// @param source   text of one translation unit
/// @param options  as nvcc would take them
/// @return the PTX; empty if the source has mistakes
std::string compile(const char* source, const std::vector<const char*>& options) {
    nvrtcProgram program{};
    lockstep::check(
        nvrtcCreateProgram(&program, source, "scale.cu", 0, nullptr, nullptr));
    const nvrtcResult status =
        nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());

    std::size_t log_bytes = 0;
    lockstep::check(nvrtcGetProgramLogSize(program, &log_bytes));
    std::string log(log_bytes, '\0');
    lockstep::check(nvrtcGetProgramLog(program, log.data()));
    if (status == NVRTC_ERROR_COMPILATION) std::printf("%s", log.c_str());

    std::string ptx;
    if (status == NVRTC_SUCCESS) {
        std::size_t ptx_bytes = 0;
        lockstep::check(nvrtcGetPTXSize(program, &ptx_bytes));
        ptx.resize(ptx_bytes);
        lockstep::check(nvrtcGetPTX(program, ptx.data()));
    }
    lockstep::check(nvrtcDestroyProgram(&program));
    return ptx;
}
// [/compile]

int main(int argc, char** argv) {
    lockstep::command_line command(argc, argv);
    const int factor = command.integer("factor", 3, -1000, 1000);
    command.finish();
    lockstep::require_device();

    int major = 0;
    int minor = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    lockstep::check(
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    const std::string target = "-arch=compute_" + std::to_string(major * 10 + minor);

    // [source]
    const char* source = R"cuda(
        extern "C" __global__ void scale(int* x) {
            x[threadIdx.x] *= FACTOR;
        })cuda";
    // known only now, constant to the compiler
    const std::string definition = "-DFACTOR=" + std::to_string(factor);
    const std::string ptx = compile(source, {target.c_str(), definition.c_str()});
    // [/source]

    // [launch]
    cudaLibrary_t library{};
    cudaKernel_t scale{};
    lockstep::check(cudaLibraryLoadData(&library, ptx.c_str(), nullptr, nullptr, 0,
                                        nullptr, nullptr, 0));
    lockstep::check(cudaLibraryGetKernel(&scale, library, "scale"));

    lockstep::device_buffer<int> d_x(std::vector<int>{1, 2, 3, 4});
    int* x_argument = d_x.data();
    void* parameters[] = {&x_argument};
    lockstep::check(cudaLaunchKernel(reinterpret_cast<const void*>(scale), dim3(1),
                                     dim3(4), parameters, 0, nullptr));
    const std::vector<int> x = d_x.to_host();
    lockstep::check(cudaLibraryUnload(library));
    // [/launch]
    lockstep::report("factor", factor);
    std::printf("%-*s%d %d %d %d\n", lockstep::label_width, "scaled", x[0], x[1], x[2],
                x[3]);

    // [typo]
    const std::string nothing = compile(
        "__global__ void scale(int* x) { x[threadldx.x] *= 3; }", {target.c_str()});
    // [/typo]
    lockstep::report("typo compiled", !nothing.empty());

    const std::vector<int> expected{factor, 2 * factor, 3 * factor, 4 * factor};
    return lockstep::count_mismatches(x, expected) == 0 && nothing.empty()
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
