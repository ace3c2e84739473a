// A program that is linked with libcuda calls the version that its header names. Which
// one does a lookup return? The one of the version that it is given. For
// cuDeviceGetUuid that makes no difference without MIG: all three give the same bytes.

#include <cstdlib>
#include <cstring>

#include <cudaTypedefs.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    lockstep::check(cuInit(0));

    // [linked]
    CUuuid linked{};
    lockstep::check(cuDeviceGetUuid(&linked, 0));  // in CUDA 13 cuDeviceGetUuid_v2
    // [/linked]

    // [looked-up]
    void* first_address = nullptr;
    void* second_address = nullptr;
    CUdriverProcAddressQueryResult status{};
    lockstep::check(cuGetProcAddress("cuDeviceGetUuid", &first_address, 9020,
                                     CU_GET_PROC_ADDRESS_DEFAULT, &status));
    lockstep::check(cuGetProcAddress("cuDeviceGetUuid", &second_address, 11040,
                                     CU_GET_PROC_ADDRESS_DEFAULT, &status));
    const auto get_v9020 = reinterpret_cast<PFN_cuDeviceGetUuid_v9020>(first_address);
    const auto get_v11040 =
        reinterpret_cast<PFN_cuDeviceGetUuid_v11040>(second_address);
    // [/looked-up]
    if (!get_v9020 || !get_v11040) return EXIT_FAILURE;

    CUuuid first{};
    CUuuid second{};
    lockstep::check(get_v9020(&first, 0));
    lockstep::check(get_v11040(&second, 0));
    const bool equal_first = std::memcmp(&linked, &first, sizeof linked) == 0;
    const bool equal_second = std::memcmp(&linked, &second, sizeof linked) == 0;
    lockstep::report("two functions", first_address != second_address);
    lockstep::report("UUID of 9020 = linked", equal_first);
    lockstep::report("UUID of 11040 = linked", equal_second);
    return equal_second ? EXIT_SUCCESS : EXIT_FAILURE;
}
