// How does a program use a function that its toolkit does not know yet? It declares the
// pointer type itself, asks for the version in which the function appeared, and has
// another way ready for drivers that lack it.

#include <cstdlib>

#include <cuda.h>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [types]
// As the headers of CUDA 12.8 and 13.1 declare them; older headers do not.
using stream_get_device_v12080 = CUresult(CUDAAPI*)(CUstream, CUdevice*);
using graph_get_id_v13010 = CUresult(CUDAAPI*)(CUgraph, unsigned*);
// [/types]

// [find]
/// Looks up a function that may be missing.
/// @tparam Function  its pointer type
/// @param name       its name
/// @param version    the CUDA version in which it appeared
/// @return the function, or null
template <class Function>
Function find_if_there(const char* name, int version) {
    int driver = 0;
    lockstep::check(cudaDriverGetVersion(&driver));
    if (driver < version) return nullptr;  // the lookup would refuse the version

    void* address = nullptr;
    cudaDriverEntryPointQueryResult status{};
    const cudaError_t error = cudaGetDriverEntryPointByVersion(
        name, &address, static_cast<unsigned>(version), cudaEnableDefault, &status);
    if (error != cudaSuccess || status != cudaDriverEntryPointSuccess) {
        cudaGetLastError();  // or the next check of a launch reports this error
        return nullptr;
    }
    return reinterpret_cast<Function>(address);
}
// [/find]

int main() {
    lockstep::require_device();
    const lockstep::owned_stream stream;

    // [use]
    CUdevice device = -1;
    const auto get_device =
        find_if_there<stream_get_device_v12080>("cuStreamGetDevice", 12080);
    if (get_device)
        lockstep::check(static_cast<cudaError_t>(get_device(stream, &device)));
    else
        lockstep::check(cudaGetDevice(&device));  // the stream was created there
    // [/use]
    const auto get_id = find_if_there<graph_get_id_v13010>("cuGraphGetId", 13010);

    lockstep::report("cuStreamGetDevice, 12.8", get_device ? "used" : "absent");
    lockstep::report("device of the stream", device);
    lockstep::report("cuGraphGetId, 13.1", get_id ? "there" : "absent");
    return device == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
