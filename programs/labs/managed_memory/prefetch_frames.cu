// A kernel brightens a picture in managed memory: the CPU has written the input and
// will read the output. In the starter each page moves when it is touched. Move both
// arrays ahead of their use, in the stream: the kernel should find its pages on the
// GPU, and the CPU the result in its own memory. Return when the CPU may read it.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// out = brightened in.
/// @param n    number of pixels
/// @param in   n values
/// @param out  n values, written
__global__ void brighten(int n, const int* in, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = min(in[i] + in[i] / 4, 255);
}

/// Where the last prefetch of all of an array went.
int last_place(const int* data, std::size_t bytes) {
    int place = 0;
    lockstep::check(cudaMemRangeGetAttribute(
        &place, sizeof place, cudaMemRangeAttributeLastPrefetchLocation, data, bytes));
    return place;
}

/// Where the arrays were last prefetched to when the kernel was launched.
struct places {
    int in, out;  ///< a device, cudaCpuDeviceId, or cudaInvalidDeviceId: not at all
};

/// Launches brighten.
/// @param n, in, out  its arguments
/// @param seen        written; may be null
/// @param stream      where the kernel goes
void launch_brighten(int n, const int* in, int* out, places* seen,
                     cudaStream_t stream) {
    if (seen)
        *seen = {last_place(in, n * sizeof(int)), last_place(out, n * sizeof(int))};
    brighten<<<(n + 255) / 256, 256, 0, stream>>>(n, in, out);
    lockstep::check(cudaGetLastError());
}

// [task]
/// Brightens a picture.
/// @param n       number of pixels
/// @param in      n values in managed memory, last written by the CPU
/// @param out     n values in managed memory, written; the CPU reads them next
/// @param seen    for the check: pass it on to launch_brighten
/// @param stream  where the work goes
void brighten_all(int n, const int* in, int* out, places* seen, cudaStream_t stream) {
    const std::size_t bytes = n * sizeof(int);
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
    lockstep::check(cudaMemPrefetchAsync(in, bytes, gpu, 0, stream));
    lockstep::check(cudaMemPrefetchAsync(out, bytes, gpu, 0, stream));
    launch_brighten(n, in, out, seen, stream);
    lockstep::check(cudaMemPrefetchAsync(out, bytes, cpu, 0, stream));
    lockstep::check(cudaStreamSynchronize(stream));
}
//= given
//| /// Brightens a picture.
//| /// @param n       number of pixels
//| /// @param in      n values in managed memory, last written by the CPU
//| /// @param out     n values in managed memory, written; the CPU reads them next
//| /// @param seen    for the check: pass it on to launch_brighten
//| /// @param stream  where the work goes
//| void brighten_all(int n, const int* in, int* out, places* seen,
//|                   cudaStream_t stream) {
//|     launch_brighten(n, in, out, seen, stream);
//|     lockstep::check(cudaStreamSynchronize(stream));
//| }
//= mutant input_only
//| void brighten_all(int n, const int* in, int* out, places* seen,
//|                   cudaStream_t stream) {
//|     const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
//|     lockstep::check(cudaMemPrefetchAsync(in, n * sizeof(int), gpu, 0, stream));
//|     launch_brighten(n, in, out, seen, stream);
//|     lockstep::check(cudaStreamSynchronize(stream));
//| }
//= mutant output_only_brought_back
//| void brighten_all(int n, const int* in, int* out, places* seen,
//|                   cudaStream_t stream) {
//|     const std::size_t bytes = n * sizeof(int);
//|     const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
//|     const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
//|     lockstep::check(cudaMemPrefetchAsync(in, bytes, gpu, 0, stream));
//|     launch_brighten(n, in, out, seen, stream);
//|     lockstep::check(cudaMemPrefetchAsync(out, bytes, cpu, 0, stream));
//|     lockstep::check(cudaStreamSynchronize(stream));
//| }
//= mutant all_after_the_kernel
//| void brighten_all(int n, const int* in, int* out, places* seen,
//|                   cudaStream_t stream) {
//|     const std::size_t bytes = n * sizeof(int);
//|     const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
//|     const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
//|     launch_brighten(n, in, out, seen, stream);
//|     lockstep::check(cudaMemPrefetchAsync(in, bytes, gpu, 0, stream));
//|     lockstep::check(cudaMemPrefetchAsync(out, bytes, cpu, 0, stream));
//|     lockstep::check(cudaStreamSynchronize(stream));
//| }
//= mutant never_back
//| void brighten_all(int n, const int* in, int* out, places* seen,
//|                   cudaStream_t stream) {
//|     const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
//|     lockstep::check(cudaMemPrefetchAsync(in, n * sizeof(int), gpu, 0, stream));
//|     lockstep::check(cudaMemPrefetchAsync(out, n * sizeof(int), gpu, 0, stream));
//|     launch_brighten(n, in, out, seen, stream);
//|     lockstep::check(cudaStreamSynchronize(stream));
//| }
//= mutant a_quarter
//| void brighten_all(int n, const int* in, int* out, places* seen,
//|                   cudaStream_t stream) {
//|     const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
//|     const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
//|     lockstep::check(cudaMemPrefetchAsync(in, n, gpu, 0, stream));
//|     lockstep::check(cudaMemPrefetchAsync(out, n, gpu, 0, stream));
//|     launch_brighten(n, in, out, seen, stream);
//|     lockstep::check(cudaMemPrefetchAsync(out, n, cpu, 0, stream));
//|     lockstep::check(cudaStreamSynchronize(stream));
//| }
//= mutant no_wait
//| void brighten_all(int n, const int* in, int* out, places* seen,
//|                   cudaStream_t stream) {
//|     const std::size_t bytes = n * sizeof(int);
//|     const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
//|     const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
//|     lockstep::check(cudaMemPrefetchAsync(in, bytes, gpu, 0, stream));
//|     lockstep::check(cudaMemPrefetchAsync(out, bytes, gpu, 0, stream));
//|     launch_brighten(n, in, out, seen, stream);
//|     lockstep::check(cudaMemPrefetchAsync(out, bytes, cpu, 0, stream));
//| }
// [/task]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 8 << 20, 1024, 1 << 24);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    const std::size_t bytes = n * sizeof(int);
    const lockstep::owned_stream stream;
    int *in = nullptr, *out = nullptr;
    lockstep::check(cudaMallocManaged(&in, bytes));
    lockstep::check(cudaMallocManaged(&out, bytes));
    std::vector<int> expected(n);
    std::vector<double> ms[2];  // your function, and no prefetch at all
    places seen{cudaInvalidDeviceId, cudaInvalidDeviceId};
    lockstep::exercise_verdict verdict;
    for (int round = 0; round < (untimed ? 1 : 8); ++round)
        for (const bool plain : {false, true}) {
            for (int i = 0; i < n; ++i) {
                in[i] = (i + round) * 13 % 256;
                out[i] = -1;
                expected[i] = std::min(in[i] + in[i] / 4, 255);
            }
            const auto begin = std::chrono::steady_clock::now();
            if (plain) {
                launch_brighten(n, in, out, nullptr, stream);
                lockstep::check(cudaStreamSynchronize(stream));
            } else {
                brighten_all(n, in, out, round == 0 ? &seen : nullptr, stream);
            }
            const std::vector<int> found(out, out + n);
            const auto end = std::chrono::steady_clock::now();
            lockstep::check(cudaStreamSynchronize(stream));
            if (round == 0 && !plain) {  // the first one is not timed
                verdict.equal("pixels", found, expected);
                verdict.holds("in: brought to the GPU", seen.in == 0,
                              "all of it should move ahead of the kernel, to device 0");
                if (seen.out != 0)
                    verdict.holds("out: brought to the GPU", false,
                                  "all of it should move ahead of the kernel, to "
                                  "device 0: writes fault as well");
                verdict.holds("out: brought to the CPU",
                              last_place(out, bytes) == cudaCpuDeviceId,
                              "all of it should move after the kernel, to the host");
            } else if (round > 0) {
                ms[plain].push_back(
                    std::chrono::duration<double, std::milli>(end - begin).count());
            }
        }
    if (!untimed)
        lockstep::report("no prefetch / your time",
                         lockstep::measured{lockstep::summarize(ms[1]).median_ms /
                                            lockstep::summarize(ms[0]).median_ms},
                         "times");
    lockstep::check(cudaFree(in));
    lockstep::check(cudaFree(out));
    return verdict.finish();
}
