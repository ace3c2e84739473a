// What do persisting lines cost the kernels that come after, and how are they given
// back? A kernel fills the set-aside with an old array. Others then read a new array
// again and again: with the old lines not reset, after a reset call, and after the
// old array was read once more in a window with the normal property.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

constexpr int block_size = 512;
constexpr int loads = 4;   // words of a thread in flight
constexpr int sweeps = 8;  // over the new array in each launch
constexpr unsigned one_word = 0x01010101;
enum treatment { never_persisting, not_reset, reset_call, normal_window };

/// Adds up an array several times.
/// @param rounds  how often
/// @param tiles   number of tiles of loads * block_size words
/// @param data    the array in device memory
/// @param result  one unsigned in device memory, increased by the sums
__global__ void sweep_array(int rounds, int tiles, const uint4* __restrict__ data,
                            unsigned* result) {
    unsigned sum = 0;
    for (int round = 0; round < rounds; ++round) {
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const uint4* words =
                data + std::size_t(tile) * loads * block_size + threadIdx.x;
#pragma unroll
            for (int load = 0; load < loads; ++load) {
                const uint4 word = __ldcg(words + load * block_size);  // not from L1
                sum += word.x + word.y + word.z + word.w;
            }
        }
    }
    atomicAdd(result, sum);
}

/// Gives a stream a window on an array, or with no property none.
void set_window(cudaStream_t stream, lockstep::device_buffer<uint4>& array,
                const cudaAccessProperty* property) {
    cudaStreamAttrValue attribute{};
    attribute.accessPolicyWindow.base_ptr = array.data();
    attribute.accessPolicyWindow.num_bytes = property ? array.bytes() : 0;
    attribute.accessPolicyWindow.hitRatio = 1;
    attribute.accessPolicyWindow.hitProp =
        property ? *property : cudaAccessPropertyNormal;
    attribute.accessPolicyWindow.missProp = cudaAccessPropertyNormal;
    lockstep::check(cudaStreamSetAttribute(
        stream, cudaStreamAttributeAccessPolicyWindow, &attribute));
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int old_mib = options.integer("old-mib", 36, 1, 128);
    const int new_mib = options.integer("new-mib", 32, 1, 128);
    const int runs = options.integer("runs", 20, 1, 100);
    const int last = options.integer("launches", 256, 2, 4096);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(80);
    cudaDeviceProp device{};
    lockstep::check(cudaGetDeviceProperties(&device, 0));
    if (device.persistingL2CacheMaxSize > 0)  // it is 0 under MIG
        lockstep::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize,
                                           device.persistingL2CacheMaxSize));

    lockstep::device_buffer<uint4> d_old((std::size_t(old_mib) << 20) / sizeof(uint4));
    lockstep::device_buffer<uint4> d_new((std::size_t(new_mib) << 20) / sizeof(uint4));
    lockstep::device_buffer<unsigned> d_result(1);
    d_old.fill_bytes(1);
    d_new.fill_bytes(1);
    d_result.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream;
    unsigned expected = 0;
    const auto sweep = [&](const lockstep::device_buffer<uint4>& array, int rounds) {
        sweep_array<<<device.multiProcessorCount * 4, block_size, 0, stream>>>(
            rounds, static_cast<int>(array.size() / (loads * block_size)), array.data(),
            d_result.data());
        lockstep::check(cudaGetLastError());
        expected += rounds * static_cast<unsigned>(array.size()) * 4 * one_word;
    };

    const cudaAccessProperty persisting = cudaAccessPropertyPersisting;
    const cudaAccessProperty normal = cudaAccessPropertyNormal;
    const char* names[] = {"never persisting", "not reset", "reset call",
                           "normal window"};
    const lockstep::owned_event begin, end;
    lockstep::csv_file series(csv, "lines,launch,~us");
    std::printf("time of a launch over the new array\n");
    std::printf("%-20s%12s%12s%12s\n", "old lines", "first", "second", "last");
    for (const treatment old_lines :
         {never_persisting, not_reset, reset_call, normal_window}) {
        std::vector<std::vector<double>> samples_ms(last);
        for (int run = -1; run < runs; ++run) {  // the first one warms up
            // [treatments]
            lockstep::check(cudaCtxResetPersistingL2Cache());
            set_window(stream, d_old,
                       old_lines == never_persisting ? nullptr : &persisting);
            sweep(d_old, 3);
            if (old_lines == normal_window) {
                set_window(stream, d_old, &normal);
                sweep(d_old, 1);
            }
            lockstep::check(cudaStreamSynchronize(stream));
            if (old_lines == reset_call)
                lockstep::check(cudaCtxResetPersistingL2Cache());
            set_window(stream, d_old, nullptr);  // no window from here on
            // [/treatments]
            for (int launch = 0; launch < last; ++launch) {
                lockstep::check(cudaEventRecord(begin, stream));
                sweep(d_new, sweeps);
                lockstep::check(cudaEventRecord(end, stream));
                lockstep::check(cudaEventSynchronize(end));
                float ms = 0;
                lockstep::check(cudaEventElapsedTime(&ms, begin, end));
                if (run >= 0) samples_ms[launch].push_back(ms);
            }
        }
        std::printf("%-20s", names[old_lines]);
        for (int launch = 0; launch < last; ++launch) {
            const double us = 1e3 * lockstep::summarize(samples_ms[launch]).median_ms;
            if (((launch + 1) & launch) == 0)  // launches 1, 2, 4, 8 ...
                series.row("\"%s\",%d,%.4g", names[old_lines], launch + 1, us);
            char text[24];
            std::snprintf(text, sizeof text, "~%.1f us", us);
            if (launch < 2 || launch == last - 1) std::printf("%12s", text);
        }
        std::printf("\n");
    }
    series.finish();
    lockstep::check(cudaCtxResetPersistingL2Cache());
    return d_result.to_host()[0] == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
