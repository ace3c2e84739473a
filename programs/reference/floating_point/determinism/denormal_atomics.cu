// Do atomic additions keep denormal numbers? In shared memory they do. In global memory
// a float addition flushes them to zero, whatever -ftz says. A double addition keeps
// them, and so does the operator + of a thread unless -ftz=true is given.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Adds denormal numbers to zeros, in four ways.
/// @param x     a denormal float
/// @param y     a denormal double
/// @param out   two zeros, replaced by a sum in shared memory and one of a thread
/// @param sum   a zero, to which x is added atomically
/// @param wide  a zero, to which y is added atomically
__global__ void add(float x, double y, float* out, float* sum, double* wide) {
    __shared__ float shared;
    shared = 0;
    atomicAdd(&shared, x);
    out[0] = shared;
    out[1] = out[1] + x;
    atomicAdd(sum, x);
    atomicAdd(wide, y);
}
// [/kernel]

int main() {
    lockstep::require_device();

    const float x = 1e-40f;
    const double y = 1e-310;
    lockstep::device_buffer<float> d_out(2), d_sum(1);
    lockstep::device_buffer<double> d_wide(1);
    d_out.fill_bytes(0);
    d_sum.fill_bytes(0);
    d_wide.fill_bytes(0);
    add<<<1, 1>>>(x, y, d_out.data(), d_sum.data(), d_wide.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> out = d_out.to_host();
    const float sum = d_sum.to_host()[0];
    const double wide = d_wide.to_host()[0];

    const auto word = [](bool kept) { return kept ? "kept" : "flushed to 0"; };
    lockstep::report("1e-40, operator +", word(out[1] == x));
    lockstep::report("1e-40, atomic, shared", word(out[0] == x));
    lockstep::report("1e-40, atomic, global", word(sum == x));
    lockstep::report("1e-310, atomic, global", word(wide == y));
    // with -ftz=true the operator flushes, too
    const bool right =
        (out[1] == x || out[1] == 0) && out[0] == x && sum == 0 && wide == y;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
