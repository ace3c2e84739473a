// How much does a real pipeline gain from a graph? Each frame is copied to the device,
// blurred in several passes, and made black and white at a threshold from its
// histogram; the result is copied back. Frames come from different buffers, so the
// graph's two copies get new addresses for each frame. Many short kernels gain, few or
// long ones do not.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int block = 256;
constexpr int levels = 256;
constexpr int slots = 4;  // buffers that frames come from and go to

// [kernels]
/// Averages each pixel with its neighbors at a distance, or with itself at the borders.
/// @param n         number of pixels
/// @param distance  1 for the neighbors of a row, its width for those of a column
/// @param in, out   n pixels each in device memory; out is written
__global__ void blur(int n, int distance, const std::uint8_t* in, std::uint8_t* out) {
    const int i = blockIdx.x * block + threadIdx.x;
    if (i >= n) return;
    const int before = in[i >= distance ? i - distance : i];
    const int after = in[i + distance < n ? i + distance : i];
    out[i] = std::uint8_t((before + 2 * in[i] + after) / 4);
}

/// Counts the pixels of each level.
/// @param n       number of pixels
/// @param in      n pixels in device memory
/// @param counts  one counter for each level in device memory, increased
__global__ void count_levels(int n, const std::uint8_t* in, unsigned* counts) {
    __shared__ unsigned mine[levels];
    mine[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * block + threadIdx.x;
    if (i < n) atomicAdd(&mine[in[i]], 1);
    __syncthreads();
    if (mine[threadIdx.x]) atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

/// Makes pixels white at or above the level that half of all pixels are below.
/// @param n       number of pixels
/// @param counts  one counter for each level, in device memory
/// @param in, out n pixels each in device memory; out is written
__global__ void make_black_and_white(int n, const unsigned* counts,
                                     const std::uint8_t* in, std::uint8_t* out) {
    __shared__ int up_to[levels];  // pixels at or below each level
    __shared__ int threshold;
    const int level = threadIdx.x;
    up_to[level] = counts[level];
    for (int distance = 1; distance < levels; distance *= 2) {
        __syncthreads();
        const int further = level >= distance ? up_to[level - distance] : 0;
        __syncthreads();
        up_to[level] += further;
    }
    __syncthreads();
    if (2 * up_to[level] >= n && (level == 0 || 2 * up_to[level - 1] < n))
        threshold = level;
    __syncthreads();
    const int i = blockIdx.x * block + threadIdx.x;
    if (i < n) out[i] = in[i] >= threshold ? 255 : 0;
}
// [/kernels]

/// The same on the host, for one frame.
/// @param width   pixels of a row, and rows
/// @param passes  how often it is blurred
/// @param in      width * width pixels
std::vector<std::uint8_t> reference(int width, int passes, const std::uint8_t* in) {
    const int n = width * width;
    std::vector<std::uint8_t> x(in, in + n), y(n);
    std::vector<int> counts(levels);
    for (const std::uint8_t pixel : x) ++counts[pixel];
    for (int half = 0; half < 2 * passes; ++half) {
        const int distance = half % 2 ? width : 1;
        for (int i = 0; i < n; ++i)
            y[i] = std::uint8_t((x[i >= distance ? i - distance : i] + 2 * x[i] +
                                 x[i + distance < n ? i + distance : i]) /
                                4);
        std::swap(x, y);
    }
    int threshold = 0;
    for (int below = counts[0]; 2 * below < n; below += counts[threshold]) ++threshold;
    for (std::uint8_t& pixel : x) pixel = pixel >= threshold ? 255 : 0;
    return x;
}

/// What one frame needs on the device, and the two branches of its work.
struct pipeline {
    int width;
    int passes;
    int n = width * width;
    int grid = (n + block - 1) / block;
    lockstep::device_buffer<std::uint8_t> d_in{std::size_t(n)};
    lockstep::device_buffer<std::uint8_t> d_rows{std::size_t(n)};
    lockstep::device_buffer<std::uint8_t> d_blurred{std::size_t(n)};
    lockstep::device_buffer<std::uint8_t> d_out{std::size_t(n)};
    lockstep::device_buffer<unsigned> d_counts{levels};
    lockstep::owned_stream stream{};
    lockstep::owned_stream side{};
    lockstep::owned_event fork{cudaEventDisableTiming};
    lockstep::owned_event join{cudaEventDisableTiming};

    // [frame]
    /// Enqueues the work for one frame, and nothing else.
    /// @param in, out    n pixels each in pinned host memory
    /// @param copied     called after each of the two copies was enqueued
    template <class Copied>
    void enqueue(const std::uint8_t* in, std::uint8_t* out, Copied&& copied) {
        lockstep::check(
            cudaMemcpyAsync(d_in.data(), in, n, cudaMemcpyHostToDevice, stream));
        copied();
        lockstep::check(cudaEventRecord(fork, stream));
        lockstep::check(cudaStreamWaitEvent(side, fork));
        lockstep::check(cudaMemsetAsync(d_counts.data(), 0, d_counts.bytes(), side));
        count_levels<<<grid, block, 0, side>>>(n, d_in.data(), d_counts.data());
        lockstep::check(cudaEventRecord(join, side));
        for (int pass = 0; pass < passes; ++pass) {
            const std::uint8_t* d_from = pass == 0 ? d_in.data() : d_blurred.data();
            blur<<<grid, block, 0, stream>>>(n, 1, d_from, d_rows.data());
            blur<<<grid, block, 0, stream>>>(n, width, d_rows.data(), d_blurred.data());
        }
        lockstep::check(cudaStreamWaitEvent(stream, join));
        make_black_and_white<<<grid, block, 0, stream>>>(
            n, d_counts.data(), d_blurred.data(), d_out.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(
            cudaMemcpyAsync(out, d_out.data(), n, cudaMemcpyDeviceToHost, stream));
        copied();
    }
    // [/frame]

    // [capture]
    /// Captures a frame.
    /// @param in      its pixels in pinned host memory
    /// @param out     where its result goes, likewise
    /// @param copies  the two copy nodes are added here
    cudaGraph_t capture(const std::uint8_t* in, std::uint8_t* out,
                        std::vector<cudaGraphNode_t>& copies) {
        cudaGraph_t graph = nullptr;
        lockstep::check(
            cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        enqueue(in, out, [&] {
            cudaStreamCaptureStatus status{};
            const cudaGraphNode_t* last = nullptr;
            std::size_t count = 0;
            lockstep::check(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr,
                                                     &last, nullptr, &count));
            if (count != 1) {  // a stream with one dependency: the copy
                std::fprintf(stderr, "the capture has no single last node\n");
                std::exit(EXIT_FAILURE);
            }
            copies.push_back(last[0]);  // what the next node would depend on
        });
        lockstep::check(cudaStreamEndCapture(stream, &graph));
        return graph;
    }
    // [/capture]
};

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int given = options.integer("width", 128, 16, 2048);
    const int passes = options.integer("passes", 8, 1, 100);
    const int frames = options.integer("frames", 20, 4, 100);
    const bool untimed = options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    lockstep::csv_file series(csv, "width,how,~us");
    bool right = true;
    for (const int width : csv ? std::vector<int>{64, 128, 256, 512, 1024, 2048}
                               : std::vector<int>{given}) {
        pipeline work{width, passes};
        const int n = work.n;
        std::uint8_t* in = nullptr;
        std::uint8_t* out = nullptr;
        lockstep::check(cudaMallocHost(&in, std::size_t(slots) * n));
        lockstep::check(cudaMallocHost(&out, std::size_t(slots) * n));
        for (int i = 0; i < slots * n; ++i)
            in[i] = std::uint8_t((i % 251) * (i / n + 1) % 256);
        std::vector<std::uint8_t> expected;
        for (int slot = 0; slot < slots; ++slot)
            for (const std::uint8_t pixel :
                 reference(width, passes, in + std::size_t(slot) * n))
                expected.push_back(pixel);
        const auto nothing = [] {};

        const auto run = [&](const char* label, auto one_frame) {
            std::fill(out, out + std::size_t(slots) * n, std::uint8_t(7));
            const auto all = [&] {
                for (int frame = 0; frame < frames; ++frame) {
                    const std::size_t at = std::size_t(frame % slots) * n;
                    one_frame(in + at, out + at);
                }
                lockstep::check(cudaStreamSynchronize(work.stream));
            };
            const double us = 1e3 * lockstep::time_on_host(all).median_ms / frames;
            right = right && std::equal(expected.begin(), expected.end(), out);
            series.row("%d,\"%s\",%.4g", width, label, us);
            if (!csv && !untimed) lockstep::report(label, lockstep::measured{us}, "us");
        };
        if (!csv) lockstep::report("pixels in a frame", n);
        if (!csv) lockstep::report("operations for a frame", 2 * passes + 5);

        // [before]
        const auto by_streams = [&](const std::uint8_t* from, std::uint8_t* to) {
            work.enqueue(from, to, nothing);
        };
        // [/before]

        // [after]
        std::vector<cudaGraphNode_t> copies, ignored;
        const cudaGraph_t graph = work.capture(in, out, copies);
        cudaGraphExec_t executable = nullptr;
        lockstep::check(cudaGraphInstantiate(&executable, graph, 0));
        const auto by_graph = [&](const std::uint8_t* from, std::uint8_t* to) {
            lockstep::check(cudaGraphExecMemcpyNodeSetParams1D(
                executable, copies[0], work.d_in.data(), from, n,
                cudaMemcpyHostToDevice));
            lockstep::check(cudaGraphExecMemcpyNodeSetParams1D(executable, copies[1],
                                                               to, work.d_out.data(), n,
                                                               cudaMemcpyDeviceToHost));
            lockstep::check(cudaGraphLaunch(executable, work.stream));
        };
        // [/after]

        // [runs]
        run("streams, wait each time", [&](const std::uint8_t* from, std::uint8_t* to) {
            by_streams(from, to);
            lockstep::check(cudaStreamSynchronize(work.stream));
        });
        run("graph, wait each time", [&](const std::uint8_t* from, std::uint8_t* to) {
            by_graph(from, to);
            lockstep::check(cudaStreamSynchronize(work.stream));
        });
        run("streams", by_streams);
        run("graph", by_graph);
        // [/runs]
        // [recapture]
        run("graph, captured again", [&](const std::uint8_t* from, std::uint8_t* to) {
            const cudaGraph_t again = work.capture(from, to, ignored);
            cudaGraphExecUpdateResultInfo info{};
            lockstep::check(cudaGraphExecUpdate(executable, again, &info));
            lockstep::check(cudaGraphDestroy(again));
            lockstep::check(cudaGraphLaunch(executable, work.stream));
        });
        // [/recapture]
        lockstep::check(cudaGraphExecDestroy(executable));
        lockstep::check(cudaGraphDestroy(graph));

        lockstep::check(cudaFreeHost(in));
        lockstep::check(cudaFreeHost(out));
    }
    series.finish();
    lockstep::report("all frames right", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
