// Does the L2 cache help kernels that follow each other? It does if they work on a
// piece of the array that fits: all kernels run on one piece, then all on the next. If
// each kernel runs over a large array, its start has left the cache when the next
// kernel begins. Small pieces cost more launches, and leave some SMs without work.

#include <algorithm>
#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 512;
constexpr int loads = 8;

// [kernel]
/// Adds 1 to each number of a piece of an array: reads and writes all of it.
/// @param n      number of elements, a multiple of loads * block_size
/// @param piece  n elements in device memory
__global__ void step(int n, int4* piece) {
    for (int i = blockIdx.x * block_size * loads + threadIdx.x; i < n;
         i += gridDim.x * block_size * loads) {
        int4 words[loads];
#pragma unroll
        for (int load = 0; load < loads; ++load)
            words[load] = __ldcg(piece + i + load * block_size);
#pragma unroll
        for (int load = 0; load < loads; ++load) {
            const int4 old = words[load];
            piece[i + load * block_size] = {old.x + 1, old.y + 1, old.z + 1, old.w + 1};
        }
    }
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int mib = 1 << options.integer("log2-mib", 10, 0, 11);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const std::size_t bytes = std::size_t(mib) << 20;
    const int all = static_cast<int>(bytes / sizeof(int4));
    lockstep::device_buffer<int4> d_data(all);
    d_data.fill_bytes(0);
    const lockstep::owned_stream stream;
    lockstep::check(cudaDeviceSynchronize());

    struct series {
        const char* name;
        int kernels;
        bool graph;
        double whole;   // GB/s
        double mib_16;  // GB/s
    };
    series all_series[] = {{"2 kernels", 2, true, 0, 0},
                           {"4 kernels", 4, true, 0, 0},
                           {"4 kernels, no graph", 4, false, 0, 0}};
    lockstep::csv_file table(csv, "kernels,mib,~gb_per_s");
    int value = 0;  // of each number of the array
    for (series& one : all_series) {
        for (int piece = 1; piece <= mib; piece *= 2) {
            const int n = all / (mib / piece);
            const int blocks = std::min(n / (block_size * loads), 4 * sms);
            // [pieces]
            const auto in_pieces = [&] {
                for (int first = 0; first < all; first += n)
                    for (int kernel = 0; kernel < one.kernels; ++kernel)
                        step<<<blocks, block_size, 0, stream>>>(n,
                                                                d_data.data() + first);
                lockstep::check(cudaGetLastError());
            };
            // [/pieces]
            // [graph]
            cudaGraph_t captured = nullptr;
            lockstep::check(
                cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
            in_pieces();
            lockstep::check(cudaStreamEndCapture(stream, &captured));
            lockstep::owned_graph graph(captured);
            const cudaGraphExec_t executable = graph.instantiate();
            // [/graph]
            const lockstep::timing time = lockstep::time_on_device(
                [&] {
                    if (one.graph)
                        lockstep::check(cudaGraphLaunch(executable, stream));
                    else
                        in_pieces();
                    value += one.kernels;
                },
                10, stream);
            lockstep::check(cudaStreamSynchronize(stream));
            // each kernel reads and writes each byte
            const double rate = time.per_second(2.0 * one.kernels * bytes) * 1e-9;
            table.row("\"%s\",%d,%.4g", one.name, piece, rate);
            one.whole = rate;  // the last size is that of the array
            if (piece <= 16) one.mib_16 = rate;
        }
    }
    table.finish();
    bool right = true;
    for (const int4& found : d_data.to_host())
        right = right && found.x == value && found.y == value && found.z == value &&
                found.w == value;

    lockstep::report("array", mib, "MiB");
    for (const series& one : all_series) {
        const std::string name = one.graph ? one.name : "4, no graph";
        lockstep::report((name + ", whole array").c_str(),
                         lockstep::measured{one.whole}, "GB/s");
        lockstep::report((name + ", 16 MiB pieces").c_str(),
                         lockstep::measured{one.mib_16}, "GB/s");
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
