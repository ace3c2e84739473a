// May an object with virtual functions go from the host to a kernel? Its members
// arrive, and functions that are called without the table work. A virtual call does
// not: the object still points to the table of the host. An object built on the GPU is
// right.

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/process.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [class]
/// Something with an area.
struct shape {
    __host__ __device__ virtual int area() const = 0;
};

/// A square.
struct square : shape {
    __host__ __device__ explicit square(int given) : side(given) {}
    __host__ __device__ int area() const override { return side * side; }

    int side;
};
// [/class]

// [kernels]
/// Reads a member of an object that came from the host; one thread.
/// @param object  the argument, a copy of bytes
/// @param result  one int in device memory, written
__global__ void read_member(square object, int* result) { *result = object.side; }

/// Names the function, so that the call needs no table; one thread.
/// @param object  the argument, a copy of bytes
/// @param result  one int in device memory, written
__global__ void call_by_name(square object, int* result) {
    *result = object.square::area();
}

/// Calls the virtual function through a pointer; one thread.
/// @param object  an object in device memory
/// @param result  one int in device memory, written
__global__ void call_virtual(const shape* object, int* result) {
    *result = object->area();
}

/// Builds an object in memory that is there; one thread.
/// @param memory  room for a square in device memory
/// @param side    the square's side
__global__ void build(square* memory, int side) { new (memory) square(side); }
// [/kernels]

constexpr const char* ways[] = {"member of a copy", "call by name, of a copy",
                                "virtual call, of a copy", "virtual call, built there"};

/// Runs in a child, since a failed kernel ends the context.
/// @param way  index into `ways`
void child(int way) {
    lockstep::device_buffer<int> d_result(1);
    d_result.fill_bytes(0xFF);
    // [ways]
    const square object(7);
    square* d_object = nullptr;
    lockstep::check(cudaMalloc(&d_object, sizeof object));
    if (way == 0) read_member<<<1, 1>>>(object, d_result.data());
    if (way == 1) call_by_name<<<1, 1>>>(object, d_result.data());
    if (way == 2) {  // undefined behavior: the table is the host's
        lockstep::check(cudaMemcpy(static_cast<void*>(d_object), &object, sizeof object,
                                   cudaMemcpyHostToDevice));
        call_virtual<<<1, 1>>>(d_object, d_result.data());
    }
    if (way == 3) {
        build<<<1, 1>>>(d_object, 7);
        lockstep::check(cudaGetLastError());
        call_virtual<<<1, 1>>>(d_object, d_result.data());
    }
    // [/ways]
    lockstep::check(cudaGetLastError());
    if (cudaDeviceSynchronize() == cudaSuccess)
        std::printf("%d", d_result.to_host()[0]);
    else
        std::printf("the kernel fails");
    std::fflush(stdout);
    std::_Exit(EXIT_SUCCESS);  // the context may be lost: nothing can be freed
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    constexpr int count = sizeof ways / sizeof *ways;
    const int way = options.integer("child", count, 0, count);
    options.finish();
    lockstep::require_device();
    if (way < count) child(way);

    bool right = true;
    for (int i = 0; i < count; ++i) {
        const std::string said =
            lockstep::output_of(argv[0], "--child " + std::to_string(i));
        lockstep::report(ways[i], said.c_str());
        right = right && said == (i == 0 ? "7" : i == 2 ? "the kernel fails" : "49");
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
