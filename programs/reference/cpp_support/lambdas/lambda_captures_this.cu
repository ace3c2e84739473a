// What does a lambda capture that names a member of its class? The pointer `this`,
// which on the GPU still points to host memory: the kernel fails if the GPU cannot read
// that. With `*this` the lambda captures a copy of the object, and the kernel reads it.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/process.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Stores what f returns; one thread.
/// @param f       takes nothing, returns an int
/// @param result  one int in device memory, written
template <class Function>
__global__ void store(Function f, int* result) {
    *result = f();
}

// [class]
/// An object in host memory, whose member a lambda uses.
struct multiplier {
    int factor = 6;

    void by_pointer(int* d_result) const {
        store<<<1, 1>>>([=] __device__ { return 7 * factor; }, d_result);
    }
    void by_copy(int* d_result) const {
        store<<<1, 1>>>([=, *this] __device__ { return 7 * factor; }, d_result);
    }
    void by_local_copy(int* d_result) const {
        const int local = factor;  // works in C++11, too
        store<<<1, 1>>>([=] __device__ { return 7 * local; }, d_result);
    }
};
// [/class]

constexpr const char* captures[] = {"[=]", "[=, *this]", "[=] and a local copy"};

/// Runs in a child, since a failed kernel ends the context.
/// @param way  index into `captures`
void child(int way) {
    lockstep::device_buffer<int> d_result(1);
    const multiplier object;
    if (way == 0) object.by_pointer(d_result.data());
    if (way == 1) object.by_copy(d_result.data());
    if (way == 2) object.by_local_copy(d_result.data());
    lockstep::check(cudaGetLastError());
    const cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        std::printf("%d", d_result.to_host()[0]);
    else
        std::printf("%s", cudaGetErrorName(error));
    std::fflush(stdout);
    std::_Exit(EXIT_SUCCESS);  // the context may be lost: nothing can be freed
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    constexpr int ways = sizeof captures / sizeof *captures;
    const int way = options.integer("child", ways, 0, ways);
    options.finish();
    lockstep::require_device();
    if (way < ways) child(way);

    int pageable = 0;  // 1 where kernels may read all memory of the host
    lockstep::check(
        cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));
    bool right = true;
    for (int i = 0; i < ways; ++i) {
        const std::string said =
            lockstep::output_of(argv[0], "--child " + std::to_string(i));
        lockstep::report(captures[i], said.c_str());
        const bool readable = pageable || i > 0;
        right = right && said == (readable ? "42" : "cudaErrorIllegalAddress");
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
