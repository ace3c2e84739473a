// Must a copy be told its direction? cudaMemcpyDefault reads it off the two addresses.
// A direction that is stated wrongly is another matter: the program tries one and
// reports what the runtime makes of it.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1000, 1, 1 << 24);
    options.finish();
    lockstep::require_device();

    std::vector<int> from(n);
    for (int i = 0; i < n; ++i) from[i] = i * 7;
    std::vector<int> to(n, -1);
    lockstep::device_buffer<int> d_one(n);
    lockstep::device_buffer<int> d_two(n);
    const std::size_t bytes = n * sizeof(int);

    // [default]
    // host to device
    lockstep::check(cudaMemcpy(d_one.data(), from.data(), bytes, cudaMemcpyDefault));
    // device to device
    lockstep::check(cudaMemcpy(d_two.data(), d_one.data(), bytes, cudaMemcpyDefault));
    // device to host
    lockstep::check(cudaMemcpy(to.data(), d_two.data(), bytes, cudaMemcpyDefault));
    // [/default]
    const bool round_trip = to == from;

    // [mislabelled]
    to.assign(n, -1);
    const cudaError_t mislabelled =
        cudaMemcpy(to.data(), d_two.data(), bytes, cudaMemcpyHostToDevice);
    cudaGetLastError();  // looked at above; no later check shall find it
    // [/mislabelled]
    lockstep::report("round trip equal", round_trip);
    lockstep::report("wrong direction gives", cudaGetErrorName(mislabelled));
    lockstep::report("data arrived all the same", to == from);
    return round_trip ? EXIT_SUCCESS : EXIT_FAILURE;
}
