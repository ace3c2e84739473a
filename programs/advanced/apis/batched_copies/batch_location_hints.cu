// A copy between managed pointers says nothing about where the bytes are, or where they
// should be. In a batch it can: from the device, to the host's memory. Right hints,
// wrong ones and none give the same bytes. How long does each copy take, and how long
// does the host then take to read the target?

#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// Writes i into element i.
/// @param n  number of elements
/// @param x  n ints in managed memory, written
__global__ void count(int n, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 24, 1, 1 << 26);
    options.finish();
    lockstep::require_device();

    const std::size_t bytes = n * sizeof(int);
    int* source = nullptr;
    int* target = nullptr;
    lockstep::check(cudaMallocManaged(&source, bytes));
    lockstep::check(cudaMallocManaged(&target, bytes));
    const lockstep::owned_stream stream;

    // [batch]
    const auto copy = [&](cudaMemLocation from_where, cudaMemLocation to_where) {
        cudaMemcpyAttributes attributes{};
        attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
        attributes.srcLocHint = from_where;
        attributes.dstLocHint = to_where;
        attributes.flags = cudaMemcpyFlagDefault;
        void* to[] = {target};
        const void* from[] = {source};
        const std::size_t sizes[] = {bytes};
        std::size_t first = 0;
        return cudaMemcpyBatchAsync(to, from, sizes, 1, &attributes, &first, 1, stream);
    };
    // [/batch]

    int wrong = 0;
    std::vector<double> read_us;
    const auto time = [&](const char* label, cudaMemLocation from_where,
                          cudaMemLocation to_where) {
        using milliseconds = std::chrono::duration<double, std::milli>;
        std::vector<double> copies_ms;
        std::vector<double> reads_ms;
        for (int run = 0; run < 20; ++run) {
            for (int i = 0; i < n; ++i)
                target[i] = -1;  // its pages are on the host now
            count<<<(n + 255) / 256, 256, 0, stream>>>(n, source);  // on the device
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaStreamSynchronize(stream));
            const auto begin = std::chrono::steady_clock::now();
            const cudaError_t status = copy(from_where, to_where);
            if (status != cudaSuccess) {  // hints that this driver does not take
                lockstep::report(label, cudaGetErrorName(cudaGetLastError()));
                return;
            }
            lockstep::check(cudaStreamSynchronize(stream));
            const auto copied = std::chrono::steady_clock::now();
            for (int i = 0; i < n; ++i) wrong += target[i] != i;
            const auto read = std::chrono::steady_clock::now();
            copies_ms.push_back(milliseconds(copied - begin).count());
            reads_ms.push_back(milliseconds(read - copied).count());
        }
        const double ms = lockstep::summarize(copies_ms).median_ms;
        lockstep::report(label, lockstep::measured{1e3 * ms}, "us");
        read_us.push_back(1e3 * lockstep::summarize(reads_ms).median_ms);
    };
    const cudaMemLocation none{cudaMemLocationTypeNone, 0};
    const cudaMemLocation device{cudaMemLocationTypeDevice, 0};
    const cudaMemLocation host{cudaMemLocationTypeHostNuma, 0};
    time("copy, no hints", none, none);
    time("copy, right hints", device, host);
    time("copy, wrong hints", host, device);
    const char* labels[] = {"host reads, no hints", "host reads, right hints",
                            "host reads, wrong hints"};
    for (std::size_t i = 0; i < read_us.size(); ++i)
        lockstep::report(labels[i], lockstep::measured{read_us[i]}, "us");
    lockstep::report("wrong elements", wrong);
    lockstep::check(cudaFree(source));
    lockstep::check(cudaFree(target));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
