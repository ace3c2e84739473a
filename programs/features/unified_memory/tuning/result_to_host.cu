// How should results get back to the CPU? Three ways for sizes from 4 KiB to 16 MiB:
// the kernel writes device memory and a copy brings it over; the kernel writes memory
// that stays with the CPU; the kernel writes managed memory and the CPU reads it there.

#include <cstdlib>
#include <numeric>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

/// Writes i + 1 into element i.
/// @param n    number of elements
/// @param out  n values
__global__ void produce(int n, int* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i + 1;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int kib = options.integer("kib", 16384, 4, 65536);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();
    const std::size_t most = std::size_t(kib) << 10;
    int* d_out = nullptr;
    int* pinned = nullptr;
    int* on_cpu = nullptr;
    int* managed = nullptr;
    lockstep::check(cudaMalloc(&d_out, most));
    lockstep::check(cudaMallocHost(&pinned, most));
    lockstep::check(cudaMallocManaged(&on_cpu, most));
    lockstep::check(cudaMallocManaged(&managed, most));
    // [kept]
    const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    lockstep::check(
        cudaMemAdvise(on_cpu, most, cudaMemAdviseSetPreferredLocation, cpu));
    lockstep::check(cudaMemAdvise(on_cpu, most, cudaMemAdviseSetAccessedBy, gpu));
    // [/kept]

    lockstep::csv_file series(csv, "kib,way,~us");
    constexpr const char* names[] = {"device memory and a copy",
                                     "memory kept on the CPU", "managed: CPU reads"};
    bool right = true;
    double us[3] = {};
    for (int size = 4; size <= kib; size *= 4) {
        const int n = size * 1024 / int(sizeof(int));
        const std::size_t bytes = n * sizeof(int);
        const long long expected = (long long)n * (n + 1) / 2;
        long long sum = 0;
        const auto launch = [&](int* out) {
            produce<<<(n + 255) / 256, 256>>>(n, out);
            lockstep::check(cudaGetLastError());
        };
        const auto read = [&](const int* out) {
            sum = std::accumulate(out, out + n, 0LL);
        };
        // [ways]
        const auto copied = [&] {
            launch(d_out);
            lockstep::check(cudaMemcpy(pinned, d_out, bytes, cudaMemcpyDeviceToHost));
            read(pinned);
        };
        const auto kept = [&] {
            launch(on_cpu);
            lockstep::check(cudaDeviceSynchronize());
            read(on_cpu);
        };
        const auto faulted = [&] {
            launch(managed);
            lockstep::check(cudaDeviceSynchronize());
            read(managed);
        };
        // [/ways]
        const auto measure = [&](int method, auto&& work) {
            us[method] = lockstep::time_on_host(work, 20).median_ms * 1e3;
            right = right && sum == expected;
            series.row("%d,%s,%.4g", size, names[method], us[method]);
        };
        measure(0, copied);
        measure(1, kept);
        measure(2, faulted);
        if (size != 4 && size * 4 <= kib) continue;
        lockstep::report("result", size, "KiB");
        for (int method = 0; method < 3; ++method)
            lockstep::report((std::string("  ") + names[method]).c_str(),
                             lockstep::measured{us[method]}, "us");
    }
    series.finish();
    lockstep::report("sums right", right);
    for (int* one : {d_out, on_cpu, managed}) lockstep::check(cudaFree(one));
    lockstep::check(cudaFreeHost(pinned));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
