// Does a copy need to be told where its pointers live? No: all memory of a process
// shares one virtual address space, so cudaMemcpyDefault can look both addresses up.
// This program copies between every pair of four kinds of memory, and asks the driver
// where each address belongs.

#include <cstdlib>
#include <numeric>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int kinds = 4;
constexpr const char* names[kinds] = {"pageable", "pinned", "device", "managed"};

// [owner]
/// What the driver knows about an address.
/// @param address  any address
const char* owner_of(const void* address) {
    cudaPointerAttributes attributes{};
    lockstep::check(cudaPointerGetAttributes(&attributes, address));
    switch (attributes.type) {
        case cudaMemoryTypeHost: return "host, known to CUDA";
        case cudaMemoryTypeDevice: return "device";
        case cudaMemoryTypeManaged: return "managed";
        default: return "unknown to CUDA";
    }
}
// [/owner]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 20, 1, 1 << 26);
    options.finish();
    lockstep::require_device();

    const std::size_t bytes = n * sizeof(int);
    std::vector<int> from_host(n);
    std::vector<int> to_host(n);
    // [allocate]
    int* from[kinds] = {from_host.data()};
    int* to[kinds] = {to_host.data()};
    for (int** memory : {from, to}) {
        lockstep::check(cudaMallocHost(&memory[1], bytes));
        lockstep::check(cudaMalloc(&memory[2], bytes));
        lockstep::check(cudaMallocManaged(&memory[3], bytes));
    }
    // [/allocate]
    for (int kind = 0; kind < kinds; ++kind)
        lockstep::report(names[kind], owner_of(from[kind]));

    std::vector<int> pattern(n);
    std::vector<int> arrived(n);
    int equal = 0;
    for (int source = 0; source < kinds; ++source) {
        for (int target = 0; target < kinds; ++target) {
            std::iota(pattern.begin(), pattern.end(), source * 1000 + target);
            // [copy]
            lockstep::check(
                cudaMemcpy(from[source], pattern.data(), bytes, cudaMemcpyDefault));
            lockstep::check(
                cudaMemcpy(to[target], from[source], bytes, cudaMemcpyDefault));
            lockstep::check(
                cudaMemcpy(arrived.data(), to[target], bytes, cudaMemcpyDefault));
            // [/copy]
            equal += arrived == pattern;
        }
    }
    lockstep::report("pairs copied", kinds * kinds);
    lockstep::report("pairs equal", equal);
    for (int** memory : {from, to}) {
        lockstep::check(cudaFreeHost(memory[1]));
        lockstep::check(cudaFree(memory[2]));
        lockstep::check(cudaFree(memory[3]));
    }
    return equal == kinds * kinds ? EXIT_SUCCESS : EXIT_FAILURE;
}
