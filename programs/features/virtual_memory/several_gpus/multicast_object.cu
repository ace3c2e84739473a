// How does one address stand for memory of several GPUs? A multicast object is created,
// each GPU joins it and binds memory of its own, and the object is mapped like memory.
// A store to such an address reaches all GPUs. The program is compiled and not run:
// making such an object changes switches that other users of a machine may share.

#include <cstddef>
#include <cstdio>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/device.hpp>
#include <lockstep/driver.hpp>

// [object]
/// Makes a multicast object of some GPUs and maps it.
/// @param devices  GPUs that are connected by switches
/// @param memory   a handle of cuMemCreate for each GPU, on that GPU
/// @param wanted   bytes that each GPU binds
/// @return the address that stands for the memory of all
CUdeviceptr map_on_all(const std::vector<CUdevice>& devices,
                       const std::vector<CUmemGenericAllocationHandle>& memory,
                       std::size_t wanted) {
    CUmulticastObjectProp properties{};
    properties.numDevices = static_cast<unsigned>(devices.size());
    std::size_t granularity = 0;
    lockstep::check(cuMulticastGetGranularity(&granularity, &properties,
                                              CU_MULTICAST_GRANULARITY_RECOMMENDED));
    properties.size = (wanted + granularity - 1) / granularity * granularity;

    CUmemGenericAllocationHandle object = 0;
    lockstep::check(cuMulticastCreate(&object, &properties));
    for (const CUdevice device : devices)
        lockstep::check(cuMulticastAddDevice(object, device));
    for (const CUmemGenericAllocationHandle part : memory)
        lockstep::check(cuMulticastBindMem(object, 0, part, 0, properties.size, 0));

    CUdeviceptr address = 0;
    lockstep::check(cuMemAddressReserve(&address, properties.size, granularity, 0, 0));
    lockstep::check(cuMemMap(address, properties.size, 0, object, 0));
    std::vector<CUmemAccessDesc> access(devices.size());
    for (std::size_t i = 0; i < devices.size(); ++i) {
        access[i].location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        access[i].location.id = devices[i];
        access[i].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    lockstep::check(
        cuMemSetAccess(address, properties.size, access.data(), access.size()));
    return address;
}
// [/object]

int main() {
    lockstep::require_device(90, 2);
    std::fprintf(stderr, "this program only shows the calls; it makes no object\n");
    return lockstep::no_device_status;
}
