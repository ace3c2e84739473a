// How fast is the connection of two GPUs? Measured: a copy before and after peer access
// was enabled, and a kernel that reads the other GPU's memory; for comparison, a copy
// and a read within one GPU. And how long does a single load take?

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [read]
/// Reads all of an array.
/// @param n     number of elements
/// @param data  n elements in some device's memory
/// @param odd   one word in memory of the device that runs it, written only if all bits
///              of all elements are zero
__global__ void read_all(std::size_t n, const uint4* data, unsigned* odd) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    unsigned any = 0;
#pragma unroll 8
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
         i += step) {
        const uint4 words = data[i];
        any |= words.x | words.y | words.z | words.w;
    }
    if (any == 0) *odd = 1;
}
// [/read]

// [chase]
/// Follows a chain: each load waits for the one before it.
/// @param steps  how far
/// @param chain  places in some device's memory
/// @param end    one word in memory of the device that runs it, written
__global__ void chase(int steps, const unsigned* chain, unsigned* end) {
    unsigned place = 0;
    // past all caches of this GPU
    for (int step = 0; step < steps; ++step) place = __ldcv(chain + place);
    *end = place;
}
// [/chase]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t bytes = options.integer<std::size_t>("mib", 512, 1, 8192) << 20;
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(0, 2);

    char* memory[3] = {};  // two on device 0, one on device 1
    const int owner[3] = {0, 0, 1};
    for (int i = 0; i < 3; ++i) {
        lockstep::check(cudaSetDevice(owner[i]));
        lockstep::check(cudaMalloc(&memory[i], bytes));
        lockstep::check(cudaMemset(memory[i], 0x5A, bytes));
        lockstep::check(cudaDeviceSynchronize());
    }
    lockstep::check(cudaSetDevice(0));
    const double gb = bytes * 1e-9;
    const auto rate = [&](int from, int to, std::size_t size) {  // GB/s
        return 1e-6 * static_cast<double>(size) /
               lockstep::time_on_device([&] {
                   lockstep::check(cudaMemcpyPeerAsync(memory[to], owner[to],
                                                       memory[from], owner[from], size,
                                                       nullptr));
               }).median_ms;
    };
    const auto copied = [&](int from, int to) { return rate(from, to, bytes); };
    lockstep::csv_file series(csv, "bytes,way,~GB/s");
    const auto by_size = [&](const char* path) {
        for (std::size_t size = 4096; csv && size <= bytes; size *= 4)
            series.row("%zu,%s,%.4g", size, path, rate(2, 0, size));
    };
    by_size("through the host");
    lockstep::report("copy, through the host", lockstep::measured{copied(2, 0)},
                     "GB/s");
    lockstep::check(cudaDeviceEnablePeerAccess(1, 0));
    by_size("peer to peer");
    series.finish();
    lockstep::report("copy, peer to peer", lockstep::measured{copied(2, 0)}, "GB/s");
    lockstep::report("copy, within one GPU", lockstep::measured{copied(0, 1)}, "GB/s");

    unsigned* word = nullptr;
    lockstep::check(cudaMalloc(&word, sizeof *word));
    constexpr int blocks = 1056;  // 8 for each SM of an H200
    const auto read = [&](int from) {
        return gb / (1e-3 * lockstep::time_on_device([&] {
                                read_all<<<blocks, 512>>>(
                                    bytes / 16,
                                    reinterpret_cast<const uint4*>(memory[from]), word);
                            }).median_ms);
    };
    lockstep::report("read by a kernel, peer", lockstep::measured{read(2)}, "GB/s");
    lockstep::report("read by a kernel, local", lockstep::measured{read(0)}, "GB/s");

    constexpr int places = 4096;
    constexpr int apart = 64;  // words
    std::vector<unsigned> chain(places * apart);
    for (int i = 0; i < places; ++i)
        chain[i * apart] = static_cast<unsigned>((i * 1237 + 511) % places * apart);
    const auto latency = [&](int where) {
        lockstep::check(cudaMemcpy(memory[where], chain.data(),
                                   chain.size() * sizeof(unsigned), cudaMemcpyDefault));
        constexpr int steps = 2000;
        return 1e6 / steps *
               lockstep::time_on_device([&] {
                   chase<<<1, 1>>>(
                       steps, reinterpret_cast<const unsigned*>(memory[where]), word);
               }).median_ms;
    };
    const double near = latency(0);
    const double far = latency(2);
    lockstep::report("load latency, local L2", lockstep::measured{near}, "ns");
    lockstep::report("load latency, peer", lockstep::measured{far}, "ns");
    lockstep::check(cudaFree(word));
    for (char* one : memory) lockstep::check(cudaFree(one));
    return far > near ? EXIT_SUCCESS : EXIT_FAILURE;
}
