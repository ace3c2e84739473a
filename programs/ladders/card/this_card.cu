// What can this GPU do? The rates of its memories and of the vendor's libraries, all in
// one run: the limits of the roofline, to compare a kernel with before you call it
// fast.

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/ladders/vendor_bf16_gemm.hpp>
#include <lockstep/ladders/vendor_sgemm.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/peak.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

/// Does nothing, as fast as it can.
__global__ void nothing() {}

constexpr int reading_block = 512;
constexpr int loads = 8;

/// Reads an array again and again, past L1, eight loads of 16 bytes in flight for each
/// thread.
/// @param n      number of elements, a multiple of loads * reading_block
/// @param data   n elements in device memory
/// @param times  how often
/// @param odd    one word in device memory, written only if all bits of all elements
///               come out as zero
__global__ void read_again(std::size_t n, const uint4* data, int times,
                           std::uint32_t* odd) {
    constexpr std::size_t tile = loads * reading_block;
    std::uint32_t any = 0;
    for (int time = 0; time < times; ++time) {
        for (std::size_t i = blockIdx.x * tile + threadIdx.x; i < n;
             i += gridDim.x * tile) {
            uint4 words[loads];
#pragma unroll
            for (int load = 0; load < loads; ++load)
                words[load] = __ldcg(data + i + load * reading_block);
#pragma unroll
            for (int load = 0; load < loads; ++load)
                any |= words[load].x | words[load].y | words[load].z | words[load].w;
        }
    }
    if (any == 0) atomicExch(odd, 1u);
}

/// Counts clock cycles and nanoseconds while it waits.
/// @param passed  two numbers in device memory: cycles and nanoseconds that passed
__global__ void compare_clocks(unsigned long long* passed) {
    unsigned long long begin_ns = 0;
    unsigned long long now_ns = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin_ns));
    const long long begin = clock64();
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now_ns));
    } while (now_ns - begin_ns < 200'000);
    passed[0] = clock64() - begin;
    passed[1] = now_ns - begin_ns;
}

/// Random floats between -1 and 1.
/// @param n     number of elements
/// @param x     n numbers in device memory
/// @param seed  of the sequence
template <class Number>
__global__ void fill_numbers(std::size_t n, Number* x, int seed) {
    const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    if (i < n)
        x[i] = static_cast<Number>(lockstep::random_word(i, seed) * 0x1p-31F - 1);
}

/// Prints a rate and writes it to the series.
class rate_report {
public:
    explicit rate_report(const char* csv)
        : series_(csv, "what,unit,~rate,~low,~high") {}

    /// @param what    name of the work
    /// @param unit    of the rate
    /// @param amount  units of work in one run
    /// @param time    of the runs
    void add(const char* what, const char* unit, double amount,
             const lockstep::timing& time) {
        lockstep::report(what, lockstep::measured{amount / (time.median_ms * 1e-3)},
                         unit);
        series_.row("\"%s\",%s,%.4g,%.4g,%.4g", what, unit,
                    amount / (time.median_ms * 1e-3), amount / (time.high_ms * 1e-3),
                    amount / (time.low_ms * 1e-3));
    }
    void finish() { series_.finish(); }

private:
    lockstep::csv_file series_;
};

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool quick = options.flag("quick");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(80);
    rate_report rates(csv);

    const std::size_t n = std::size_t(1) << (quick ? 20 : 28);
    const std::size_t few = n / (quick ? 1 : 64);  // 16 MiB: fits into L2
    const double gb = n * 4e-9;
    {
        // [memory]
        lockstep::device_buffer<std::uint32_t> x(n);
        lockstep::device_buffer<std::uint32_t> y(n);
        lockstep::device_buffer<std::uint32_t> result(1);
        lockstep::fill_random(x.data(), n);
        const auto copy = [&] {
            lockstep::check(
                cudaMemcpyAsync(y.data(), x.data(), n * 4, cudaMemcpyDefault));
        };
        rates.add("copy, read and written", "GB/s", 2 * gb,
                  lockstep::time_on_device(copy));
        rates.add("memory, read", "GB/s", gb, lockstep::time_on_device([&] {
                      lockstep::read_sweep(x.data(), n, result.data());
                  }));
        rates.add("memory, written", "GB/s", gb, lockstep::time_on_device([&] {
                      lockstep::check(cudaMemsetAsync(y.data(), 1, n * 4));
                  }));
        constexpr int times = 32;
        rates.add(
            "L2, read", "GB/s", times * few * 4e-9, lockstep::time_on_device([&] {
                constexpr unsigned tile = loads * reading_block;
                read_again<<<static_cast<unsigned>(few / 4 / tile), reading_block>>>(
                    few / 4, reinterpret_cast<const uint4*>(x.data()), times,
                    result.data());
                lockstep::check(cudaGetLastError());
            }));
        void* pinned = nullptr;
        lockstep::check(cudaMallocHost(&pinned, few * 4));
        rates.add(
            "host to device, pinned", "GB/s", few * 4e-9, lockstep::time_on_device([&] {
                lockstep::check(
                    cudaMemcpyAsync(y.data(), pinned, few * 4, cudaMemcpyHostToDevice));
            }));
        lockstep::check(cudaFreeHost(pinned));
        // [/memory]

        // [cub]
        std::size_t bytes[3] = {};
        lockstep::check(
            cub::DeviceReduce::Sum(nullptr, bytes[0], x.data(), result.data(), n));
        lockstep::check(
            cub::DeviceScan::InclusiveSum(nullptr, bytes[1], x.data(), y.data(), n));
        lockstep::check(
            cub::DeviceRadixSort::SortKeys(nullptr, bytes[2], x.data(), y.data(), n));
        lockstep::device_buffer<char> scratch(*std::max_element(bytes, bytes + 3));
        rates.add("CUB reduce, read", "GB/s", gb, lockstep::time_on_device([&] {
                      lockstep::check(cub::DeviceReduce::Sum(
                          scratch.data(), bytes[0], x.data(), result.data(), n));
                  }));
        rates.add("CUB scan, read and written", "GB/s", 2 * gb,
                  lockstep::time_on_device([&] {
                      lockstep::check(cub::DeviceScan::InclusiveSum(
                          scratch.data(), bytes[1], x.data(), y.data(), n));
                  }));
        rates.add("CUB radix sort", "billion keys/s", n * 1e-9,
                  lockstep::time_on_device([&] {
                      lockstep::check(cub::DeviceRadixSort::SortKeys(
                          scratch.data(), bytes[2], x.data(), y.data(), n));
                  }));
        // [/cub]
    }
    unsigned long long mhz = 0;
    {
        // [sgemm]
        const lockstep::vendor_sgemm sgemm;
        for (const int size : {4096, 8192}) {
            const int m = quick ? 256 : size;
            const std::size_t elements = std::size_t(m) * m;
            lockstep::device_buffer<float> a(elements);
            lockstep::device_buffer<float> b(elements);
            lockstep::device_buffer<float> c(elements);
            const auto blocks = static_cast<unsigned>((elements + 255) / 256);
            fill_numbers<<<blocks, 256>>>(elements, a.data(), 1);
            fill_numbers<<<blocks, 256>>>(elements, b.data(), 2);
            lockstep::check(cudaGetLastError());
            rates.add(size == 4096 ? "cuBLAS float, 4096" : "cuBLAS float, 8192",
                      "TFLOP/s", 2e-12 * m * elements, lockstep::time_on_device([&] {
                          sgemm(m, m, m, a.data(), b.data(), c.data());
                      }));
        }
        // [/sgemm]
        lockstep::device_buffer<unsigned long long> passed(2);
        compare_clocks<<<1, 1>>>(passed.data());
        lockstep::check(cudaGetLastError());
        const auto counted = passed.to_host();
        mhz = counted[0] * 1000 / counted[1];
    }
    // [bf16]
    const struct {
        const char* name;
        int size;
    } products[] = {{"cuBLASLt bf16, 4096", 4096},
                    {"cuBLASLt bf16, 8192", 8192},
                    {"cuBLASLt bf16, 16384", 16384}};
    for (const auto& product : products) {
        const int m = quick ? 256 : product.size;
        const std::size_t elements = std::size_t(m) * m;
        lockstep::device_buffer<__nv_bfloat16> a(elements);
        lockstep::device_buffer<__nv_bfloat16> b(elements);
        lockstep::device_buffer<__nv_bfloat16> c(elements);
        const auto blocks = static_cast<unsigned>((elements + 255) / 256);
        fill_numbers<<<blocks, 256>>>(elements, a.data(), 1);
        fill_numbers<<<blocks, 256>>>(elements, b.data(), 2);
        lockstep::check(cudaGetLastError());
        lockstep::vendor_bf16_gemm multiply(m, m, m, a.data(), b.data(), c.data());
        rates.add(product.name, "TFLOP/s", 2e-12 * m * elements,
                  lockstep::time_on_device(multiply));
    }
    // [/bf16]
    // [launch]
    constexpr int launches = 1000;
    const lockstep::timing many = lockstep::time_on_device([] {
        for (int i = 0; i < launches; ++i) nothing<<<1, 32>>>();
        lockstep::check(cudaGetLastError());
    });
    lockstep::report("empty kernels in a row",
                     lockstep::measured{1e3 * many.median_ms / launches}, "us each");
    // [/launch]
    lockstep::report("clock after cuBLAS float", lockstep::measured{double(mhz)},
                     "MHz");
    rates.finish();
    return EXIT_SUCCESS;
}
