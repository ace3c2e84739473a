// Which CUDA is installed here? There are three answers: what the driver supports,
// which runtime library this process loaded, and which compute capability the GPU has.
// They come from three products with three version numbers, and a program works when
// they fit together.

#include <cstdlib>
#include <string>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// CUDA's version number, 1000 * major + 10 * minor, as people write it.
/// @param version  as the version functions return it, such as 13000
std::string dotted(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

int main() {
    lockstep::require_device();

    // [versions]
    int driver = 0;
    int runtime = 0;
    lockstep::check(cudaDriverGetVersion(&driver));
    lockstep::check(cudaRuntimeGetVersion(&runtime));
    lockstep::report("driver supports CUDA", dotted(driver).c_str());
    lockstep::report("runtime library", dotted(runtime).c_str());
    lockstep::report("headers compiled against", dotted(CUDART_VERSION).c_str());
    // [/versions]

    // [capability]
    int major = 0;
    int minor = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    lockstep::check(
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    const std::string capability = std::to_string(major) + "." + std::to_string(minor);
    const std::string sm_version = "sm_" + std::to_string(major * 10 + minor);
    lockstep::report("compute capability", capability.c_str());
    lockstep::report("name of its machine code", sm_version.c_str());
    // [/capability]

    lockstep::report("runtime newer than driver", runtime > driver);
    // within one major version an older driver may still serve
    const bool fit = runtime / 1000 <= driver / 1000;
    return fit ? EXIT_SUCCESS : EXIT_FAILURE;
}
