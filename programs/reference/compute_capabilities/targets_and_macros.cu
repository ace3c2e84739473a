// What does a suffix of a target add? The program compiles for five targets, reads from
// the PTX how the compiler sets two macros, tries three instructions that need a
// suffix, and runs an empty kernel. More instructions mean fewer GPUs.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <nvrtc.h>

#include <lockstep/nvrtc.hpp>
#include <lockstep/require_device.hpp>

// [macros]
constexpr char macros[] = R"(
#ifdef __CUDA_ARCH_SPECIFIC__
extern "C" __device__ int specific = __CUDA_ARCH_SPECIFIC__;
#endif
#ifdef __CUDA_ARCH_FAMILY_SPECIFIC__
extern "C" __device__ int family = __CUDA_ARCH_FAMILY_SPECIFIC__;
#endif
)";
// [/macros]

// [instructions]
constexpr char empty[] = "extern \"C\" __global__ void run() {}";
constexpr char setmaxnreg[] = R"(
__global__ void __launch_bounds__(128) kernel() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 64;");
})";
constexpr char tcgen05[] = R"(
__global__ void kernel() { asm volatile("tcgen05.fence::before_thread_sync;"); }
)";
constexpr char cvt_rs[] = R"(
__global__ void kernel() {
    unsigned four = 0;
    asm volatile("cvt.rs.satfinite.e4m3x4.f32 %0, {%1, %1, %1, %1}, %2;"
                 : "=r"(four) : "f"(1.0f), "r"(0));
})";
// [/instructions]

// [compile]
/// Compiles a source.
/// @param source  CUDA C++
/// @param target  "sm_90a" for machine code, "compute_90a" for PTX
/// @return the image; empty if the compiler or the assembler refused
std::vector<char> compile(const char* source, const std::string& target) {
    const std::string option = "-arch=" + target;
    const char* options[] = {option.c_str()};
    nvrtcProgram program{};
    lockstep::check(nvrtcCreateProgram(&program, source, "t.cu", 0, nullptr, nullptr));
    std::vector<char> image;
    if (nvrtcCompileProgram(program, 1, options) == NVRTC_SUCCESS) {
        const bool machine = target[0] == 's';
        std::size_t bytes = 0;
        lockstep::check(machine ? nvrtcGetCUBINSize(program, &bytes)
                                : nvrtcGetPTXSize(program, &bytes));
        image.resize(bytes);
        lockstep::check(machine ? nvrtcGetCUBIN(program, image.data())
                                : nvrtcGetPTX(program, image.data()));
    }
    lockstep::check(nvrtcDestroyProgram(&program));
    return image;
}
// [/compile]

/// The value with which PTX initializes a variable, or "-".
/// @param ptx   a module as text
/// @param name  of the variable
std::string value_in(const std::string& ptx, const std::string& name) {
    const std::size_t at = ptx.find(name + " = ");
    if (at == std::string::npos) return "-";
    const std::size_t begin = at + name.size() + 3;
    return ptx.substr(begin, ptx.find(';', begin) - begin);
}

/// Whether this GPU loads a cubin and runs its kernel.
/// @param cubin  with a kernel "run" that takes no arguments
bool runs(const std::vector<char>& cubin) {
    cudaLibrary_t library{};
    cudaKernel_t kernel{};
    cudaError_t status = cudaLibraryLoadData(&library, cubin.data(), nullptr, nullptr,
                                             0, nullptr, nullptr, 0);
    if (status == cudaSuccess) {
        status = cudaLibraryGetKernel(&kernel, library, "run");
        if (status == cudaSuccess)
            status = cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1),
                                      dim3(1), nullptr, 0, nullptr);
        lockstep::check(cudaDeviceSynchronize());
        lockstep::check(cudaLibraryUnload(library));
    }
    cudaGetLastError();  // a failure was expected: forget it
    return status == cudaSuccess;
}

int main() {
    lockstep::require_device();

    int major = 0;
    int minor = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    lockstep::check(
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    std::printf("%-10s%-10s%-8s%-12s%-9s%-8s%s\n", "target", "SPECIFIC", "FAMILY",
                "setmaxnreg", "tcgen05", "cvt.rs", "runs here");
    int compiled = 0;
    bool right = true;
    // [targets]
    for (const char* number : {"90", "90a", "100", "100f", "100a"}) {
        const std::string target = std::string("sm_") + number;
        const std::vector<char> text =
            compile(macros, std::string("compute_") + number);
        const std::string ptx(text.begin(), text.end());
        std::printf("%-10s%-10s%-8s", target.c_str(), value_in(ptx, "specific").c_str(),
                    value_in(ptx, "family").c_str());
        for (const auto& [source, width] :
             {std::pair{setmaxnreg, 12}, {tcgen05, 9}, {cvt_rs, 8}}) {
            const bool accepted = !compile(source, target).empty();
            std::printf("%-*s", width, accepted ? "yes" : "no");
            compiled += accepted;
        }
        const bool ran = runs(compile(empty, target));
        std::printf("%s\n", ran ? "yes" : "no");
        right &= ran == (std::atoi(number) == major * 10 + minor);
    }
    // [/targets]
    return right && compiled == 6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
