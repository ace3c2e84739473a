// How does an ordinary pointer become an address in one memory space, and back? A pair
// of functions for each of five spaces converts it. Back it is the same pointer. In
// all spaces but global memory, the address fits into 32 bits, so inline PTX may take
// a 32-bit register for it.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

__device__ int in_global = 1;
__constant__ int in_constant = 2;

/// What was found for one memory space.
struct row {
    bool recognized;  ///< the predicate of the space is true
    bool back;        ///< the pointer came back
    bool fits;        ///< the address is smaller than 2^32
    int word;         ///< what was loaded through the pointer that came back
};

/// Fills a row of the table.
__device__ row compare(bool recognized, const void* p, std::size_t address,
                       const void* back) {
    return {recognized, back == p, address < 1ull << 32,
            *static_cast<const int*>(back)};
}

/// One thread converts five pointers.
/// @param in_parameter  5, at one address for the whole grid
/// @param table         5 rows in device memory
/// @param by_ptx        one int in device memory: what PTX loads from shared memory
__global__ void convert(const __grid_constant__ int in_parameter, row* table,
                        int* by_ptx) {
    __shared__ int in_shared;
    in_shared = 3;
    volatile int in_local = 4;  // volatile keeps it out of a register
    const void* p = &in_global;
    std::size_t address = __cvta_generic_to_global(p);
    table[0] = compare(__isGlobal(p), p, address, __cvta_global_to_generic(address));

    p = &in_constant;
    address = __cvta_generic_to_constant(p);
    table[1] =
        compare(__isConstant(p), p, address, __cvta_constant_to_generic(address));

    // [shared]
    p = &in_shared;
    address = __cvta_generic_to_shared(p);
    table[2] = compare(__isShared(p), p, address, __cvta_shared_to_generic(address));
    asm volatile("ld.shared.s32 %0, [%1];"
                 : "=r"(*by_ptx)
                 : "r"(static_cast<std::uint32_t>(address))
                 : "memory");  // in_shared is stored before this
    // [/shared]

    p = const_cast<const int*>(&in_local);
    address = __cvta_generic_to_local(p);
    table[3] = compare(__isLocal(p), p, address, __cvta_local_to_generic(address));

    p = &in_parameter;
    address = __cvta_generic_to_grid_constant(p);
    table[4] = compare(__isGridConstant(p), p, address,
                       __cvta_grid_constant_to_generic(address));
}

int main() {
    lockstep::require_device(70);

    lockstep::device_buffer<row> d_table(5);
    lockstep::device_buffer<int> d_by_ptx(1);
    d_table.fill_bytes(0);
    convert<<<1, 1>>>(5, d_table.data(), d_by_ptx.data());
    lockstep::check(cudaGetLastError());
    const std::vector<row> table = d_table.to_host();
    const int by_ptx = d_by_ptx.to_host()[0];

    constexpr const char* names[] = {"global", "constant", "shared", "local",
                                     "grid constant"};
    bool right = by_ptx == 3;
    for (int i = 0; i < 5; ++i) {
        const std::string text =
            std::string(table[i].recognized ? "recognized" : "unknown") +
            (table[i].back ? ", same pointer back" : ", another one") +
            (table[i].fits ? ", 32 bits" : ", 64 bits");
        lockstep::report(names[i], text.c_str());
        right = right && table[i].recognized && table[i].back && table[i].word == i + 1;
    }
    lockstep::report("loaded by ld.shared", by_ptx);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
