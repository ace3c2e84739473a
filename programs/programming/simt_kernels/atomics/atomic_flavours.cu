// In how many ways can threads add atomically, and do they differ? The function and the
// four classes give the same sum. They differ in scope, the threads for which the
// operation is atomic, and in memory order: the classes are sequentially consistent
// unless you say otherwise, which costs little where there is nothing else to order.

#include <cstdlib>
#include <numeric>
#include <vector>

#include <cuda/atomic>
#include <cuda/std/atomic>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int counters = 1024;  // enough that two threads seldom add to one

// [forms]
/// The function: any pointer to device memory, atomic for the GPU, orders nothing else.
struct with_function {
    using counter = int;
    static __device__ void add(counter* place, int x) { atomicAdd(place, x); }
};
/// A view of a plain variable, atomic for the GPU, as relaxed as the function.
struct with_relaxed_view {
    using counter = int;
    static __device__ void add(counter* place, int x) {
        cuda::atomic_ref<int, cuda::thread_scope_device> view(*place);
        view.fetch_add(x, cuda::memory_order_relaxed);
    }
};
/// The same with the order that you get if you name none.
struct with_view {
    using counter = int;
    static __device__ void add(counter* place, int x) {
        cuda::atomic_ref<int, cuda::thread_scope_device> view(*place);
        view.fetch_add(x);
    }
};
/// The standard's view: atomic for all GPUs and the CPU.
struct with_standard_view {
    using counter = int;
    static __device__ void add(counter* place, int x) {
        cuda::std::atomic_ref<int> view(*place);
        view.fetch_add(x);
    }
};
// [/forms]

// [object]
/// An object that is atomic in all its uses.
struct with_object {
    using counter = cuda::atomic<int, cuda::thread_scope_device>;
    static __device__ void add(counter* place, int x) {
        place->fetch_add(x, cuda::memory_order_relaxed);
    }
};
// [/object]

// [exchange]
/// Any operation: try again until no other thread has changed the value in between.
struct with_compare_exchange {
    using counter = int;
    static __device__ void add(counter* place, int x) {
        cuda::atomic_ref<int, cuda::thread_scope_device> view(*place);
        int old = view.load(cuda::memory_order_relaxed);
        while (!view.compare_exchange_weak(old, old + x, cuda::memory_order_relaxed)) {
        }
    }
};
// [/exchange]

/// Adds each element to one of the counters.
/// @tparam Flavour  how
/// @param n       number of elements
/// @param x       device array of `n` elements
/// @param totals  device array of `counters` counters
template <class Flavour>
__global__ void count(int n, const int* x, typename Flavour::counter* totals) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) Flavour::add(&totals[i % counters], x[i]);
}

/// Runs one flavour, prints its line, and returns its time in microseconds, or -1 if
/// the sum is wrong.
template <class Flavour>
double show(const char* name, const std::vector<int>& x,
            const lockstep::device_buffer<int>& d_x) {
    const int n = static_cast<int>(x.size());
    lockstep::device_buffer<int> d_totals(counters);
    d_totals.fill_bytes(0);
    // an atomic object has the size and the zero of its number
    using counter = typename Flavour::counter;
    static_assert(sizeof(counter) == sizeof(int), "the counters share one array");
    const auto totals_on_device = reinterpret_cast<counter*>(d_totals.data());
    const auto launch = [&] {
        count<Flavour><<<(n + 255) / 256, 256>>>(n, d_x.data(), totals_on_device);
    };
    launch();
    lockstep::check(cudaGetLastError());
    const std::vector<int> totals = d_totals.to_host();
    const double time_us = lockstep::time_back_to_back(launch).median_ms * 1e3;
    const bool right = std::accumulate(totals.begin(), totals.end(), 0) ==
                       std::accumulate(x.begin(), x.end(), 0);
    lockstep::report(name, lockstep::measured{time_us},
                     right ? "us, sum exact" : "us, sum wrong");
    return right ? time_us : -1;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 20, 1, 1 << 24);
    options.finish();
    lockstep::require_device();

    std::vector<int> x(n);
    for (int i = 0; i < n; ++i) x[i] = 1 + i % 3;
    const lockstep::device_buffer<int> d_x(x);
    const double function = show<with_function>("atomicAdd", x, d_x);
    const double relaxed = show<with_relaxed_view>("atomic_ref, relaxed", x, d_x);
    const double object = show<with_object>("atomic, relaxed", x, d_x);
    const double view = show<with_view>("atomic_ref, no order named", x, d_x);
    const double standard = show<with_standard_view>("std::atomic_ref", x, d_x);
    const double exchange = show<with_compare_exchange>("compare and exchange", x, d_x);
    const bool right = function > 0 && relaxed > 0 && object > 0 && view > 0 &&
                       standard > 0 && exchange > 0;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
