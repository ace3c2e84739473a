// PTX of a version that the driver does not know, as a newer toolkit writes it.

#include <string>

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

// [load]
/// Loads a kernel from PTX of a version, and runs it.
/// @param version  of the PTX language
/// @return the first error
static cudaError_t run_ptx(const std::string& version) {
    const std::string ptx = ".version " + version +
                            "\n.target sm_75\n.address_size 64\n"
                            ".visible .entry nothing() { ret; }\n";
    cudaLibrary_t library{};
    cudaKernel_t kernel{};
    cudaError_t status = cudaLibraryLoadData(&library, ptx.c_str(), nullptr, nullptr, 0,
                                             nullptr, nullptr, 0);
    if (status != cudaSuccess) return status;
    status = cudaLibraryGetKernel(&kernel, library, "nothing");
    if (status == cudaSuccess)
        status = cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1),
                                  dim3(1), nullptr, 0, nullptr);
    if (status == cudaSuccess) status = cudaDeviceSynchronize();
    lockstep::check(cudaLibraryUnload(library));
    return status;
}
// [/load]

// [wrong]
static cudaError_t wrong() { return run_ptx("99.0"); }
// [/wrong]

// [fixed]
static cudaError_t fixed() { return run_ptx("8.0"); }
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorUnsupportedPtxVersion, wrong,
                                  fixed);
}
