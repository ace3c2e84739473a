// What does compressible memory bring? It is requested when memory is created, and the
// driver may ignore that, so the program asks what it got. Then it reads data that
// compresses well, and data that does not, from ordinary and from compressible memory.

#include <cstddef>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

/// Fills an array with one number, or with numbers that look random.
/// @param n       number of elements
/// @param x       n words in device memory, written
/// @param random  whether each element is different
__global__ void fill(std::size_t n, unsigned* x, bool random) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        unsigned word = 1;
        if (random) {  // multiply and mix: the bytes follow no simple pattern
            word = static_cast<unsigned>(i) * 2654435761u;
            word = (word ^ (word >> 15)) * 2246822519u;
        }
        x[i] = word;
    }
}

/// Adds up an array.
/// @param n    number of groups of four words
/// @param x    n groups in device memory
/// @param sum  one word in device memory, raised by the sum modulo 2^32
__global__ void add_up(std::size_t n, const uint4* x, unsigned* sum) {
    const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
    unsigned mine = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        mine += x[i].x + x[i].y + x[i].z + x[i].w;
    atomicAdd(sum, mine);
}

/// Creates memory and maps it. It is never unmapped: the end of the program does that.
/// @param wanted      bytes that are needed
/// @param compressed  whether compressible memory is requested; set to what was got
unsigned* map_memory(std::size_t wanted, bool& compressed) {
    // [request]
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    if (compressed)
        properties.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
    std::size_t unit = 0;
    lockstep::check(cuMemGetAllocationGranularity(
        &unit, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    const std::size_t bytes = (wanted + unit - 1) / unit * unit;
    CUmemGenericAllocationHandle memory = 0;
    lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));

    CUmemAllocationProp got{};
    lockstep::check(cuMemGetAllocationPropertiesFromHandle(&got, memory));
    compressed = got.allocFlags.compressionType == CU_MEM_ALLOCATION_COMP_GENERIC;
    // [/request]
    CUdeviceptr address = 0;
    lockstep::check(cuMemAddressReserve(&address, bytes, 0, 0, 0));
    lockstep::check(cuMemMap(address, bytes, 0, memory, 0));
    CUmemAccessDesc access{};
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    lockstep::check(cuMemSetAccess(address, bytes, &access, 1));
    lockstep::check(cuMemRelease(memory));
    return reinterpret_cast<unsigned*>(address);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t bytes = options.integer<std::size_t>("mib", 1024, 2, 8192) << 20;
    options.finish();
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    int supported = 0;
    lockstep::check(cuDeviceGetAttribute(
        &supported, CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, 0));
    bool granted[2] = {false, supported != 0};
    unsigned* x[2] = {map_memory(bytes, granted[0]), map_memory(bytes, granted[1])};
    lockstep::report("device supports it", supported != 0);
    lockstep::report("compressible, if requested", granted[1]);
    lockstep::report("compressible, by default", granted[0]);

    // [measure]
    const std::size_t n = bytes / sizeof(unsigned);
    constexpr int blocks = 2048;
    bool right = true;
    const auto rates_for = [&](bool random) {
        lockstep::device_buffer<unsigned> d_sums(std::vector<unsigned>{0, 0});
        for (unsigned* data : x) fill<<<blocks, 256>>>(n, data, random);
        lockstep::check(cudaGetLastError());
        const auto times = lockstep::time_in_turns(2, [&](std::size_t i) {
            add_up<<<blocks, 256>>>(n / 4, reinterpret_cast<const uint4*>(x[i]),
                                    d_sums.data() + i);
        });
        const std::vector<unsigned> sums = d_sums.to_host();
        right = right && sums[0] == sums[1] && sums[0] != 0;
        return std::vector<double>{times[0].per_second(bytes) / 1e9,
                                   times[1].per_second(bytes) / 1e9};
    };
    const std::vector<double> equal = rates_for(false), random = rates_for(true);
    // [/measure]
    lockstep::report("equal words, ordinary", lockstep::measured{equal[0]}, "GB/s");
    lockstep::report("equal words, compressible", lockstep::measured{equal[1]}, "GB/s");
    lockstep::report("random words, ordinary", lockstep::measured{random[0]}, "GB/s");
    lockstep::report("random words, compressible", lockstep::measured{random[1]},
                     "GB/s");
    return right && !granted[0] ? EXIT_SUCCESS : EXIT_FAILURE;
}
