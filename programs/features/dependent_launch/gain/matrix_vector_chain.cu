// What does a dependent launch save in a chain of matrix-vector products? The weights
// of a layer do not depend on the layer before, so a kernel can load them into
// registers before it waits for its input vector.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

/// A weight from -8 to 7 that CPU and GPU compute alike.
__host__ __device__ int weight(unsigned layer, unsigned row, unsigned column) {
    return static_cast<int>(
               ((row * 2654435761U) ^ (column * 40503U << 8) ^ (layer * 97U << 20)) >>
               28) -
           8;
}

/// An element of the next vector, from a sum of products.
__host__ __device__ std::int8_t squashed(int sum) {
    return static_cast<std::int8_t>((sum & 31) - 16);
}

/// Fills the weights of all layers.
/// @param n  rows and columns of a layer
/// @param w  layers * n * n bytes in device memory, written; one block for each row
__global__ void fill(unsigned n, std::int8_t* w) {
    for (unsigned column = threadIdx.x; column < n; column += blockDim.x)
        w[std::size_t(blockIdx.x) * n + column] =
            static_cast<std::int8_t>(weight(blockIdx.x / n, blockIdx.x % n, column));
}

// [layer]
/// One layer, y = squashed(W x): a warp computes a row, and n is 512 * chunks.
/// @tparam early  whether the weights are loaded before the wait
/// @param w  n * n bytes in device memory, which no kernel of the chain writes
/// @param x  n bytes in device memory, written by the kernel before
/// @param y  n bytes in device memory, written
template <int chunks, bool early>
__global__ void layer(const int4* w, const int4* x, std::int8_t* y) {
    const int lane = threadIdx.x % 32;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    cudaTriggerProgrammaticLaunchCompletion();
    if (!early) cudaGridDependencySynchronize();
    int4 weights[chunks];  // 16 weights each, in registers
    for (int i = 0; i < chunks; ++i) weights[i] = w[(row * chunks + i) * 32 + lane];
    if (early) cudaGridDependencySynchronize();
    int sum = 0;
    for (int i = 0; i < chunks; ++i) {
        const int4 inputs = x[i * 32 + lane];
        sum = __dp4a(weights[i].x, inputs.x, sum);
        sum = __dp4a(weights[i].y, inputs.y, sum);
        sum = __dp4a(weights[i].z, inputs.z, sum);
        sum = __dp4a(weights[i].w, inputs.w, sum);
    }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(~0U, sum, distance);
    if (lane == 0) y[row] = squashed(sum);
}
// [/layer]

constexpr int kernels = 32;  // of a chain
constexpr int layers = 8;  // whose weights the kernels take in turns

/// The chain on the CPU.
std::vector<std::int8_t> reference(unsigned n) {
    std::vector<std::int8_t> x(n, 1);
    std::vector<std::int8_t> y(n);
    for (int step = 0; step < kernels; ++step) {
        for (unsigned row = 0; row < n; ++row) {
            int sum = 0;
            for (unsigned column = 0; column < n; ++column)
                sum += weight(step % layers, row, column) * x[column];
            y[row] = squashed(sum);
        }
        x.swap(y);
    }
    return x;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    const bool untimed = options.flag("untimed");  // the smallest matrix, once
    options.finish();
    lockstep::require_device(90);

    const lockstep::owned_stream stream;
    lockstep::csv_file file(csv, "launch,n,~us_per_layer");
    std::size_t wrong = 0;
    const auto measure = [&](auto plain, auto prefetching, unsigned n) {
        const std::size_t bytes = std::size_t(n) * n;
        lockstep::device_buffer<std::int8_t> w(layers * bytes);
        fill<<<layers * n, 256>>>(n, w.data());
        lockstep::check(cudaGetLastError());
        lockstep::device_buffer<std::int8_t> x(n);
        lockstep::device_buffer<std::int8_t> y(n);
        const std::vector<std::int8_t> expected = reference(n);
        // [chain]
        const auto chain = [&](auto kernel, bool dependent) {
            lockstep::check(cudaMemsetAsync(x.data(), 1, n, stream));
            cudaLaunchAttribute overlap{};
            overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
            overlap.val.programmaticStreamSerializationAllowed = dependent;
            cudaLaunchConfig_t config{};
            config.gridDim = dim3(n / 8);
            config.blockDim = dim3(256);
            config.stream = stream;
            config.attrs = &overlap;
            config.numAttrs = 1;
            for (int step = 0; step < kernels; ++step) {
                const std::int8_t* in = step % 2 ? y.data() : x.data();
                std::int8_t* out = step % 2 ? x.data() : y.data();
                lockstep::check(cudaLaunchKernelEx(
                    &config, kernel,
                    reinterpret_cast<const int4*>(w.data() + step % layers * bytes),
                    reinterpret_cast<const int4*>(in), out));
            }
        };
        // [/chain]
        const auto row = [&](const char* name, auto kernel, bool dependent) {
            cudaGraph_t graph{};
            cudaGraphExec_t executable{};
            lockstep::check(
                cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
            chain(kernel, dependent);
            lockstep::check(cudaStreamEndCapture(stream, &graph));
            lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
            const auto us = [&](const auto& work) {
                x.fill_bytes(0);
                lockstep::check(cudaDeviceSynchronize());
                const double ms =
                    lockstep::time_on_device(work, untimed ? 1 : 20, stream).median_ms;
                wrong += lockstep::count_mismatches(x.to_host(), expected);
                return 1e3 * ms / kernels;
            };
            const double streamed = us([&] { chain(kernel, dependent); });
            const double replayed =
                us([&] { lockstep::check(cudaGraphLaunch(executable, stream)); });
            if (name) {
                std::printf("%-6u%-30s~%-12.2f~%.2f\n", n, name, streamed, replayed);
                file.row("\"stream, %s\",%u,%.3f", name, n, streamed);
                file.row("\"graph, %s\",%u,%.3f", name, n, replayed);
            }
            lockstep::check(cudaGraphExecDestroy(executable));
            lockstep::check(cudaGraphDestroy(graph));
        };
        row(nullptr, plain, false);  // a warm-up
        row("plain", plain, false);
        row("dependent, loads after wait", plain, true);
        row("dependent, loads before", prefetching, true);
    };
    std::printf("%-6s%-30s%-13s%s\n", "n", "us of a layer", "in a stream",
                "in a graph");
    measure(layer<1, false>, layer<1, true>, 512);
    if (!untimed) {
        measure(layer<2, false>, layer<2, true>, 1024);
        measure(layer<4, false>, layer<4, true>, 2048);
        measure(layer<8, false>, layer<8, true>, 4096);
    }
    file.finish();
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
