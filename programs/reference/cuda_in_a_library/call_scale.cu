// How is a kernel of a shared library called? From C++ as any function: an address, a
// size, a stream, and a status that is looked at. The two Python scripts beside this
// program make the same call, with ctypes alone and with the tensors of PyTorch.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

#include "scale.h"

int main() {
    lockstep::require_device();

    std::vector<float> x(1'000'000), expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<float>(i % 1000);
        expected[i] = 3 * x[i];  // whole numbers: the result is exact
    }
    lockstep::device_buffer<float> d_x(x);
    // [call]
    const lockstep::owned_stream stream;
    const int status = scale(d_x.data(), x.size(), 3, stream);
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::report("status", scale_message(status));
    lockstep::report("of a host address", scale_message(scale(x.data(), 1, 3, stream)));
    // [/call]
    const std::size_t wrong = lockstep::count_mismatches(d_x.to_host(), expected);
    lockstep::report("wrong elements", wrong);
    return status == 0 && wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
