// Which images of a kernel does this GPU accept? A cubin runs on its own major version
// at its own minor version or above. PTX runs on every capability from its own upwards.
// Targets with an "a" run on exactly their own. The program makes each image with
// NVRTC, tries it, and compares.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <nvrtc.h>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/nvrtc.hpp>
#include <lockstep/require_device.hpp>

// [image]
/// Compiles one small kernel.
/// @param target  "sm_80" makes a cubin, "compute_80" makes PTX
/// @return the image, as it would stand in a file
std::vector<char> make_image(const std::string& target) {
    const char* source = "extern \"C\" __global__ void answer(int* out) { *out = 42; }";
    const std::string option = "-arch=" + target;
    const char* options[] = {option.c_str()};
    nvrtcProgram program{};
    lockstep::check(
        nvrtcCreateProgram(&program, source, "answer.cu", 0, nullptr, nullptr));
    lockstep::check(nvrtcCompileProgram(program, 1, options));
    const bool cubin = target[0] == 's';
    std::size_t bytes = 0;
    lockstep::check(cubin ? nvrtcGetCUBINSize(program, &bytes)
                          : nvrtcGetPTXSize(program, &bytes));
    std::vector<char> image(bytes);
    lockstep::check(cubin ? nvrtcGetCUBIN(program, image.data())
                          : nvrtcGetPTX(program, image.data()));
    lockstep::check(nvrtcDestroyProgram(&program));
    return image;
}
// [/image]

// [try]
/// Loads an image and runs its kernel.
/// @param image  cubin or PTX
/// @param d_out  one int on the device
/// @return the first error; cudaSuccess means that the kernel wrote its answer
cudaError_t try_image(const std::vector<char>& image,
                      lockstep::device_buffer<int>& d_out) {
    d_out.fill_bytes(0xFF);
    cudaLibrary_t library{};
    cudaKernel_t kernel{};
    cudaError_t status = cudaLibraryLoadData(&library, image.data(), nullptr, nullptr,
                                             0, nullptr, nullptr, 0);
    if (status == cudaSuccess) {
        status = cudaLibraryGetKernel(&kernel, library, "answer");
        int* out = d_out.data();
        void* parameters[] = {&out};
        if (status == cudaSuccess)
            status = cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1),
                                      dim3(1), parameters, 0, nullptr);
        if (status == cudaSuccess && d_out.to_host()[0] != 42)
            status = cudaErrorUnknown;
        lockstep::check(cudaLibraryUnload(library));
    }
    cudaGetLastError();  // the failure was expected: forget it
    return status;
}
// [/try]

// [rules]
/// The two compatibility rules, and the exception.
/// @param target  number of the image, such as 86
/// @param cubin   machine code, else PTX
/// @param exact   a target with an "a"
/// @param gpu     number of the GPU, such as 90
bool should_load(int target, bool cubin, bool exact, int gpu) {
    if (exact) return target == gpu;
    if (cubin) return target / 10 == gpu / 10 && target <= gpu;
    return target <= gpu;
}
// [/rules]

int main(int argc, char** argv) {
    lockstep::command_line command(argc, argv);
    const char* csv = command.text("csv");
    command.finish();
    lockstep::require_device();

    int major = 0;
    int minor = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    lockstep::check(
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    lockstep::device_buffer<int> d_out(1);
    lockstep::csv_file file(csv, "image,target,cubin,exact,rule,runs");

    std::printf("%-12s  %-5s  %-5s  %s\n", "image", "rule", "runs", "error");
    bool as_ruled = true;
    for (const bool cubin : {true, false}) {
        for (const char* number :
             {"75", "80", "86", "89", "90", "90a", "100", "100a", "120"}) {
            const std::string image =
                (cubin ? "sm_" : "compute_") + std::string(number);
            const int target = std::atoi(number);
            const bool exact = image.back() == 'a';
            const bool rule = should_load(target, cubin, exact, major * 10 + minor);
            const cudaError_t status = try_image(make_image(image), d_out);
            const bool runs = status == cudaSuccess;
            std::printf("%-12s  %-5s  %-5s  %s\n", image.c_str(), rule ? "yes" : "no",
                        runs ? "yes" : "no", runs ? "-" : cudaGetErrorName(status));
            file.row("%s,%d,%d,%d,%d,%d", image.c_str(), target, cubin, exact, rule,
                     runs);
            as_ruled = as_ruled && runs == rule;
        }
    }
    file.finish();
    return as_ruled ? EXIT_SUCCESS : EXIT_FAILURE;
}
