// How close does managed memory come to explicit copies? The CPU writes an input, the
// GPU computes an output, the CPU reads one number of each page of it. Eight versions
// for managed memory, from no hint to a copy of the output alone, and three with
// explicit copies. Only what lies between writing and having read is timed.

#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

constexpr int page_floats = 4096 / sizeof(float);
constexpr int chunks = 8;

// [kernel]
/// y = 2 x + 1.
/// @param n  number of elements
/// @param x  n values
/// @param y  n values, written
__global__ void scale(int n, const float* x, float* y) {
    const int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        y[i] = 2 * x[i] + 1;
}
// [/kernel]

/// Launches the kernel for a part of the arrays, so that each element is used often.
/// @param passes  how often
/// @param blocks  of each launch
/// @param n       elements of the part
/// @param x       its input
/// @param y       its output
/// @param stream  where to launch it
void launch(int passes, int blocks, int n, const float* x, float* y,
            cudaStream_t stream) {
    for (int i = 0; i < passes; ++i) scale<<<blocks, 256, 0, stream>>>(n, x, y);
    lockstep::check(cudaGetLastError());
}

/// Brings a range over without its old content.
/// @param data    start of the range
/// @param bytes   its length
/// @param where   where to
/// @param stream  not the legacy default stream
void discard_and_prefetch(void* data, std::size_t bytes, cudaMemLocation where,
                          cudaStream_t stream) {
    std::size_t first = 0;
    lockstep::check(cudaMemDiscardAndPrefetchBatchAsync(&data, &bytes, 1, &where,
                                                        &first, 1, 0, stream));
}

/// Buffers and streams of all versions; each uses some of them.
struct work {
    int passes;     // of the kernel
    int blocks;     // of a launch
    int n;          // elements of each buffer
    float* x;       // the input
    float* y;       // the output
    float* result;  // where the CPU reads the output
    float* d_x;     // device memory, for explicit copies
    float* d_y;
    const lockstep::owned_stream* streams;  // two
};

enum version {
    no_hint,
    prefetch_input,
    prefetch_both,
    prefetch_chunks,
    discard_chunks,
    stay_on_cpu,
    output_on_cpu,
    output_copied,
    copy_pageable,
    copy_pinned,
    copy_chunks,
    versions
};
constexpr const char* names[] = {"managed: no hint",
                                 "managed: input prefetched",
                                 "managed: both ways",
                                 "managed: chunks",
                                 "managed: discarded output",
                                 "managed: kept on CPU",
                                 "managed: output on CPU",
                                 "managed: output copied",
                                 "copied: pageable",
                                 "copied: pinned",
                                 "copied: chunks"};

/// From the input written to the output there for the CPU to read.
/// @param v  the version
/// @param w  its buffers
void run(version v, const work& w) {
    const std::size_t bytes = w.n * sizeof(float);
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
    const int part = w.n / chunks;
    const std::size_t part_bytes = part * sizeof(float);
    cudaStream_t stream = w.streams[0];
    switch (v) {
        case versions: break;
        case no_hint:
        case stay_on_cpu: launch(w.passes, w.blocks, w.n, w.x, w.y, stream); break;
        // [prefetched]
        case prefetch_input:
        case output_on_cpu:
            lockstep::check(cudaMemPrefetchAsync(w.x, bytes, gpu, 0, stream));
            launch(w.passes, w.blocks, w.n, w.x, w.y, stream);
            break;
        case prefetch_both:
            lockstep::check(cudaMemPrefetchAsync(w.x, bytes, gpu, 0, stream));
            lockstep::check(cudaMemPrefetchAsync(w.y, bytes, gpu, 0, stream));
            launch(w.passes, w.blocks, w.n, w.x, w.y, stream);
            lockstep::check(cudaMemPrefetchAsync(w.y, bytes, cpu, 0, stream));
            break;
        // [/prefetched]
        // [chunks]
        case prefetch_chunks:
        case discard_chunks:
            for (int c = 0; c < chunks; ++c) {
                stream = w.streams[c % 2];
                float* x = w.x + c * part;
                float* y = w.y + c * part;
                lockstep::check(cudaMemPrefetchAsync(x, part_bytes, gpu, 0, stream));
                if (v == discard_chunks)  // the old output need not come along
                    discard_and_prefetch(y, part_bytes, gpu, stream);
                else
                    lockstep::check(
                        cudaMemPrefetchAsync(y, part_bytes, gpu, 0, stream));
                launch(w.passes, w.blocks, part, x, y, stream);
                lockstep::check(cudaMemPrefetchAsync(y, part_bytes, cpu, 0, stream));
            }
            break;
        // [/chunks]
        // [output-copied]
        case output_copied:  // the output never leaves the GPU; its copy does
            lockstep::check(cudaMemPrefetchAsync(w.x, bytes, gpu, 0, stream));
            launch(w.passes, w.blocks, w.n, w.x, w.y, stream);
            lockstep::check(
                cudaMemcpyAsync(w.result, w.y, bytes, cudaMemcpyDeviceToHost, stream));
            break;
        // [/output-copied]
        // [copied]
        case copy_pageable:
        case copy_pinned:
            lockstep::check(
                cudaMemcpyAsync(w.d_x, w.x, bytes, cudaMemcpyHostToDevice, stream));
            launch(w.passes, w.blocks, w.n, w.d_x, w.d_y, stream);
            lockstep::check(
                cudaMemcpyAsync(w.y, w.d_y, bytes, cudaMemcpyDeviceToHost, stream));
            break;
        // [/copied]
        case copy_chunks:
            for (int c = 0; c < chunks; ++c) {
                stream = w.streams[c % 2];
                const int at = c * part;
                lockstep::check(cudaMemcpyAsync(w.d_x + at, w.x + at, part_bytes,
                                                cudaMemcpyHostToDevice, stream));
                launch(w.passes, w.blocks, part, w.d_x + at, w.d_y + at, stream);
                lockstep::check(cudaMemcpyAsync(w.y + at, w.d_y + at, part_bytes,
                                                cudaMemcpyDeviceToHost, stream));
            }
            break;
    }
    for (int i = 0; i < 2; ++i) lockstep::check(cudaStreamSynchronize(w.streams[i]));
}

/// Allocates the host's side of a version.
/// @param v       the version
/// @param bytes   size
/// @param output  whether it is for the output
float* allocate(version v, std::size_t bytes, bool output) {
    float* data = nullptr;
    if (v == copy_pageable) return static_cast<float*>(std::malloc(bytes));
    if (v > copy_pageable) {
        lockstep::check(cudaMallocHost(&data, bytes));
        return data;
    }
    lockstep::check(cudaMallocManaged(&data, bytes));
    // [kept]
    if (v == stay_on_cpu || (v == output_on_cpu && output)) {
        const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
        const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
        lockstep::check(
            cudaMemAdvise(data, bytes, cudaMemAdviseSetPreferredLocation, cpu));
        lockstep::check(cudaMemAdvise(data, bytes, cudaMemAdviseSetAccessedBy, gpu));
    }
    // [/kept]
    return data;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int mib = options.integer("mib", 32, 1, 128);
    const int runs = options.integer("runs", 20, 1, 100);
    const int passes = options.integer("passes", 1, 1, 100);
    const bool untimed = options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int blocks = 4 * sms;
    const lockstep::owned_stream streams[2];
    lockstep::csv_file series(csv, "mib,version,~ms,~gb_per_s");
    bool right = true;
    double last_ms[versions] = {};
    for (int size = mib < 2 ? mib : 2; size <= mib; size *= 4) {
        const int n = size * (1 << 20) / int(sizeof(float));
        const std::size_t bytes = n * sizeof(float);
        float* d_x = nullptr;
        float* d_y = nullptr;
        float* pinned = nullptr;
        lockstep::check(cudaMalloc(&d_x, bytes));
        lockstep::check(cudaMalloc(&d_y, bytes));
        lockstep::check(cudaMallocHost(&pinned, bytes));
        for (int v = 0; v < versions; ++v) {
            const auto kind = version(v);
            float* x = allocate(kind, bytes, false);
            float* y = allocate(kind, bytes, true);
            const work w{passes, blocks, n,
                         x,      y,      kind == output_copied ? pinned : y,
                         d_x,    d_y,    streams};
            std::vector<double> ms;
            for (int i = -2; i < runs; ++i) {
                for (int at = 0; at < n; ++at) w.x[at] = float((at + i) & 1023);
                const auto begin = std::chrono::steady_clock::now();
                run(kind, w);
                float sum = 0, expected = 0;
                for (int at = 0; at < n; at += page_floats) sum += w.result[at];
                const auto end = std::chrono::steady_clock::now();
                for (int at = 0; at < n; at += page_floats)
                    expected += 2 * float((at + i) & 1023) + 1;
                right = right && sum == expected;
                if (i >= 0)
                    ms.push_back(
                        std::chrono::duration<double, std::milli>(end - begin).count());
            }
            last_ms[v] = lockstep::summarize(ms).median_ms;
            // the page's chart holds six of them
            if (kind == no_hint || kind == prefetch_input || kind == prefetch_both ||
                kind == output_copied || kind == stay_on_cpu || kind == copy_pinned)
                series.row("%d,%s,%.4g,%.4g", size, names[v], last_ms[v],
                           2 * bytes / (last_ms[v] * 1e6));
            if (kind == copy_pageable) {
                std::free(x);
                std::free(y);
            } else if (v > copy_pageable) {
                lockstep::check(cudaFreeHost(x));
                lockstep::check(cudaFreeHost(y));
            } else {
                lockstep::check(cudaFree(x));
                lockstep::check(cudaFree(y));
            }
        }
        lockstep::check(cudaFree(d_x));
        lockstep::check(cudaFree(d_y));
        lockstep::check(cudaFreeHost(pinned));
    }
    series.finish();
    lockstep::report("input and output", mib, "MiB each");
    lockstep::report("passes of the kernel", passes);
    for (int v = 0; v < versions; ++v)
        lockstep::report(names[v], lockstep::measured{last_ms[v]}, "ms");
    lockstep::report("values right", right);
    const bool pays = untimed || last_ms[prefetch_both] < last_ms[no_hint];
    return right && pays ? EXIT_SUCCESS : EXIT_FAILURE;
}
