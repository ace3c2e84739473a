// Do the runtime API and the driver API talk about the same machine? Yes: the runtime
// stands on the driver. Both answer the same questions alike, and memory that one of
// them allocated can be filled by the other, because both work in the same context.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda.h>

#include <lockstep/require_device.hpp>

// [lookup]
/// A function of the driver API, found at run time: the program starts on machines
/// without a driver.
/// @tparam Function  its pointer type
/// @param name       its name, without a version suffix
template <class Function>
Function driver_function(const char* name) {
    void* address = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    lockstep::check(cudaGetDriverEntryPointByVersion(name, &address, 13000,
                                                     cudaEnableDefault, &found));
    if (found != cudaDriverEntryPointSuccess) lockstep::check(cudaErrorSymbolNotFound);
    return reinterpret_cast<Function>(address);
}
// [/lookup]

/// Ends the program unless a driver call succeeded.
/// @param status  what the call returned
void check_driver(CUresult status) {
    // both APIs number their errors alike
    lockstep::check(static_cast<cudaError_t>(status));
}

/// Prints one question with both answers.
/// @param question  what was asked
/// @param runtime   the runtime's answer
/// @param driver    the driver's answer
/// @return whether they agree
bool compare(const char* question, long long runtime, long long driver) {
    std::printf("%-20s %10lld %10lld  %s\n", question, runtime, driver,
                runtime == driver ? "yes" : "no");
    return runtime == driver;
}

int main() {
    lockstep::require_device();

    // [runtime]
    cudaDeviceProp properties{};
    lockstep::check(cudaGetDeviceProperties(&properties, 0));
    // [/runtime]

    // [driver]
    const auto device_get = driver_function<decltype(&cuDeviceGet)>("cuDeviceGet");
    const auto get_name =
        driver_function<decltype(&cuDeviceGetName)>("cuDeviceGetName");
    const auto get_attribute =
        driver_function<decltype(&cuDeviceGetAttribute)>("cuDeviceGetAttribute");
    const auto total_memory =
        driver_function<decltype(&cuDeviceTotalMem)>("cuDeviceTotalMem");

    CUdevice device{};
    char name[256] = "";
    std::size_t bytes = 0;
    int major = 0;
    int minor = 0;
    int sms = 0;
    check_driver(device_get(&device, 0));
    check_driver(get_name(name, sizeof name, device));
    check_driver(total_memory(&bytes, device));
    check_driver(
        get_attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    check_driver(
        get_attribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
    check_driver(get_attribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
    // [/driver]

    std::printf("%-20s %10s %10s  %s\n", "question", "runtime", "driver", "equal");
    bool equal = compare("capability, major", properties.major, major);
    equal &= compare("capability, minor", properties.minor, minor);
    equal &= compare("multiprocessors", properties.multiProcessorCount, sms);
    equal &=
        compare("memory, GiB", static_cast<long long>(properties.totalGlobalMem >> 30),
                static_cast<long long>(bytes >> 30));
    equal &= compare("length of the name",
                     static_cast<long long>(std::strlen(properties.name)),
                     static_cast<long long>(std::strlen(name)));
    equal &= std::strcmp(properties.name, name) == 0;

    // [mix]
    constexpr unsigned n = 4;
    unsigned x[n] = {};
    unsigned* d_x = nullptr;
    // the runtime allocates
    lockstep::check(cudaMalloc(&d_x, sizeof x));
    const auto fill = driver_function<decltype(&cuMemsetD32)>("cuMemsetD32");
    // the driver API fills
    check_driver(fill(reinterpret_cast<CUdeviceptr>(d_x), 42, n));
    // the runtime reads
    lockstep::check(cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost));
    lockstep::check(cudaFree(d_x));
    // [/mix]
    std::printf("filled by the driver, read by the runtime: %u %u %u %u\n", x[0], x[1],
                x[2], x[3]);

    const bool mixed = x[0] == 42 && x[1] == 42 && x[2] == 42 && x[3] == 42;
    return equal && mixed ? EXIT_SUCCESS : EXIT_FAILURE;
}
