// May the CPU follow a pointer from cudaMalloc? Only where hardware keeps CPU and GPU
// coherent (Grace Hopper and its successors); one attribute tells. Elsewhere the access
// would end the program, so this one asks before it looks.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    // [ask]
    int direct = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&direct, cudaDevAttrDirectManagedMemAccessFromHost, 0));
    lockstep::report("direct access from host", direct != 0);
    const lockstep::device_buffer<int> d_value(std::vector<int>{42});
    if (direct) {
        lockstep::report("read by the CPU", *d_value.data());
    } else {
        lockstep::report("read by the CPU", "not tried: it would fault");
        lockstep::report("read through a copy", d_value.to_host()[0]);
    }
    // [/ask]
    return d_value.to_host()[0] == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
