// Where does `new` in a kernel get memory? From the device heap, which later kernels
// use too: one makes objects, another calls their virtual functions, a third deletes
// them. The heap has a fixed size. When it is exhausted, malloc returns a null pointer.

#include <cstddef>
#include <cstdlib>
#include <new>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [classes]
/// A shape with an area.
struct shape {
    __device__ virtual ~shape() {}
    __device__ virtual int area() const = 0;
};

/// A square.
struct square : shape {
    __device__ explicit square(int given) : side(given) {}
    __device__ int area() const override { return side * side; }

    int side;
};
// [/classes]

// [kernels]
/// Makes an object for each thread; one block.
/// @param shapes  one pointer for each thread in device memory, written
__global__ void make(shape** shapes) {
    shapes[threadIdx.x] = new square(static_cast<int>(threadIdx.x));
}

/// Adds up all areas; one block.
/// @param shapes  one pointer for each thread in device memory
/// @param sum     one int in device memory, 0 at the beginning
__global__ void add_up(shape* const* shapes, int* sum) {
    atomicAdd(sum, shapes[threadIdx.x]->area());
}

/// Deletes all objects; one block.
/// @param shapes  one pointer for each thread in device memory
__global__ void destroy(shape** shapes) { delete shapes[threadIdx.x]; }
// [/kernels]

// [exhaust]
/// An object of 64 KiB.
struct large {
    __device__ explicit large(int value) { words[0] = value; }

    int words[16 << 10];
};

/// Makes an object for each thread, and counts those that find no memory; one block.
/// @param objects  one pointer for each thread in device memory, written
/// @param refused  one int in device memory, 0 at the beginning
__global__ void make_if_possible(large** objects, int* refused) {
    void* memory = malloc(sizeof(large));
    if (memory == nullptr) {
        atomicAdd(refused, 1);
        objects[threadIdx.x] = nullptr;
    } else {  // constructs the object in memory that is there
        objects[threadIdx.x] = new (memory) large(static_cast<int>(threadIdx.x));
    }
}

/// Destroys what `make_if_possible` made; one block.
/// @param objects  one pointer for each thread in device memory
__global__ void release(large** objects) {
    large* object = objects[threadIdx.x];
    if (object == nullptr) return;
    object->~large();
    free(object);
}
// [/exhaust]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const auto heap_mib = options.integer<std::size_t>("heap-mib", 8, 1, 1024);
    options.finish();
    lockstep::require_device();

    // [limit]
    // before the first launch of a kernel that uses the heap
    lockstep::check(cudaDeviceSetLimit(cudaLimitMallocHeapSize, heap_mib << 20));
    // [/limit]
    constexpr int threads = 256;
    lockstep::device_buffer<shape*> d_shapes(threads);
    lockstep::device_buffer<int> d_sum(1);
    d_sum.fill_bytes(0);
    make<<<1, threads>>>(d_shapes.data());
    lockstep::check(cudaGetLastError());
    add_up<<<1, threads>>>(d_shapes.data(), d_sum.data());
    lockstep::check(cudaGetLastError());
    destroy<<<1, threads>>>(d_shapes.data());
    lockstep::check(cudaGetLastError());
    const int sum = d_sum.to_host()[0];

    constexpr std::size_t bytes = sizeof(large);
    lockstep::device_buffer<large*> d_objects(threads);
    lockstep::device_buffer<int> d_refused(1);
    d_refused.fill_bytes(0);
    make_if_possible<<<1, threads>>>(d_objects.data(), d_refused.data());
    lockstep::check(cudaGetLastError());
    release<<<1, threads>>>(d_objects.data());
    lockstep::check(cudaGetLastError());
    const int refused = d_refused.to_host()[0];

    lockstep::report("sum of the areas", sum);
    lockstep::report("heap", heap_mib, "MiB");
    lockstep::report("256 times 64 KiB", threads * bytes >> 20, "MiB");
    if (refused == 0)
        lockstep::report("allocations refused", refused);
    else  // how many fit is the heap's affair
        lockstep::report("allocations refused", lockstep::counted{refused});

    int expected = 0;
    for (int side = 0; side < threads; ++side) expected += side * side;
    const std::size_t heap = heap_mib << 20;
    const bool too_small = heap < threads * bytes;
    const bool ample = heap >= 2 * threads * bytes;
    const bool as_told = sum == expected && (!too_small || refused > 0) &&
                         (!ample || refused == 0) && refused < threads;
    return as_told ? EXIT_SUCCESS : EXIT_FAILURE;
}
