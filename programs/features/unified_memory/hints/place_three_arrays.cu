// Give three arrays the right hints. The table is filled once by the CPU and read by
// both processors from then on: let both keep a copy. The samples were written by the
// CPU and are needed by the next kernel: bring them over ahead of it, on the stream.
// The log is written by the CPU, little by little, and read by kernels now and then: it
// should stay on the CPU, and kernels should reach it there without a fault.

#include <cstddef>
#include <vector>

#include <lockstep/exercise_verdict.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

// [task]
/// Gives the hints.
/// @param table    managed memory
/// @param samples  managed memory
/// @param log      managed memory
/// @param bytes    length of each of the three
/// @param stream   the kernel's stream
void give_hints(int* table, int* samples, int* log, std::size_t bytes,
                cudaStream_t stream) {
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
    lockstep::check(cudaMemAdvise(table, bytes, cudaMemAdviseSetReadMostly, gpu));
    lockstep::check(cudaMemPrefetchAsync(samples, bytes, gpu, 0, stream));
    lockstep::check(cudaMemAdvise(log, bytes, cudaMemAdviseSetPreferredLocation, cpu));
    lockstep::check(cudaMemAdvise(log, bytes, cudaMemAdviseSetAccessedBy, gpu));
}
//= given
//| /// Gives the hints.
//| /// @param table    managed memory
//| /// @param samples  managed memory
//| /// @param log      managed memory
//| /// @param bytes    length of each of the three
//| /// @param stream   the kernel's stream
//| void give_hints(int* /*table*/, int* /*samples*/, int* /*log*/,
//|                 std::size_t /*bytes*/, cudaStream_t /*stream*/) {}
//= mutant all_prefetched
//| void give_hints(int* table, int* samples, int* log, std::size_t bytes,
//|                 cudaStream_t stream) {
//|     const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
//|     for (int* data : {table, samples, log})
//|         lockstep::check(cudaMemPrefetchAsync(data, bytes, gpu, 0, stream));
//| }
//= mutant log_on_gpu
//| void give_hints(int* table, int* samples, int* log, std::size_t bytes,
//|                 cudaStream_t stream) {
//|     const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
//|     lockstep::check(cudaMemAdvise(table, bytes, cudaMemAdviseSetReadMostly, gpu));
//|     lockstep::check(cudaMemPrefetchAsync(samples, bytes, gpu, 0, stream));
//|     lockstep::check(
//|         cudaMemAdvise(log, bytes, cudaMemAdviseSetPreferredLocation, gpu));
//| }
//= mutant only_a_part
//| void give_hints(int* table, int* samples, int* log, std::size_t bytes,
//|                 cudaStream_t stream) {
//|     const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
//|     const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
//|     lockstep::check(cudaMemAdvise(table, bytes, cudaMemAdviseSetReadMostly, gpu));
//|     lockstep::check(cudaMemPrefetchAsync(samples, bytes, cpu, 0, stream));
//|     lockstep::check(
//|         cudaMemAdvise(log, bytes, cudaMemAdviseSetPreferredLocation, cpu));
//| }
// [/task]

/// One attribute of a range, as an int.
/// @param which  the attribute
/// @param data   start of the range
/// @param bytes  its length
int attribute(cudaMemRangeAttribute which, const int* data, std::size_t bytes) {
    int value = 0;
    lockstep::check(cudaMemRangeGetAttribute(&value, sizeof value, which, data, bytes));
    return value;
}

/// Adds table, samples and log to samples.
/// @param n        number of elements of each
/// @param table    n values
/// @param samples  n values, changed in place
/// @param log      n values
__global__ void combine(int n, const int* table, int* samples, const int* log) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) samples[i] += table[i] + log[i];
}

int main() {
    lockstep::require_device();
    constexpr int n = 1 << 16;
    constexpr std::size_t bytes = n * sizeof(int);
    int* table = nullptr;
    int* samples = nullptr;
    int* log = nullptr;
    lockstep::check(cudaMallocManaged(&table, bytes));
    lockstep::check(cudaMallocManaged(&samples, bytes));
    lockstep::check(cudaMallocManaged(&log, bytes));
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) {
        table[i] = i;
        samples[i] = 2 * i;
        log[i] = 3 * i;
        expected[i] = 6 * i;
    }
    const lockstep::owned_stream stream;
    give_hints(table, samples, log, bytes, stream);
    combine<<<n / 256, 256, 0, stream>>>(n, table, samples, log);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamSynchronize(stream));

    lockstep::exercise_verdict verdict;
    verdict.equal("values", std::vector<int>(samples, samples + n), expected,
                  lockstep::numbered("sample"));
    verdict.holds("table: both keep a copy",
                  attribute(cudaMemRangeAttributeReadMostly, table, bytes) == 1,
                  "which advice is for memory that is read far more than written?");
    const bool table_stays = attribute(cudaMemRangeAttributePreferredLocation, table,
                                       bytes) == cudaInvalidDeviceId;
    verdict.holds("table: no other advice", table_stays,
                  "a preferred location means nothing for copies on both sides");
    verdict.holds(
        "samples: brought to GPU",
        attribute(cudaMemRangeAttributeLastPrefetchLocation, samples, bytes) == 0,
        "the kernel's data should move ahead of the kernel, to device 0");
    verdict.holds("log: stays on the CPU",
                  attribute(cudaMemRangeAttributePreferredLocation, log, bytes) ==
                      cudaCpuDeviceId,
                  "where should the log's pages be preferred?");
    int mapped_for = cudaInvalidDeviceId;
    const cudaError_t asked = cudaMemRangeGetAttribute(
        &mapped_for, sizeof mapped_for, cudaMemRangeAttributeAccessedBy, log, bytes);
    verdict.holds("log: mapped for the GPU",
                  asked == cudaErrorNotSupported || mapped_for == 0,
                  "which advice makes the driver map pages for a processor?");
    for (int* data : {table, samples, log}) lockstep::check(cudaFree(data));
    return verdict.finish();
}
