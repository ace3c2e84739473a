// Do two counters disturb each other if they only share a page? The CPU counts in one
// word while a kernel counts in another, for 20 ms. In pages of their own, both run at
// full speed. In one page, each access of one side takes the page from the other,
// although no word is shared. CUPTI counts the faults.

#include <chrono>
#include <cstdlib>

#include <cuda/atomic>

#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/page_counter.hpp>
#include <lockstep/page_counts.hpp>
#include <lockstep/require_device.hpp>

/// An int that one side counts in.
using counter = cuda::atomic_ref<int, cuda::thread_scope_system>;

// [kernel]
/// One thread counts for a while.
/// @param word     one int in managed memory, counted up
/// @param ns       how long, in nanoseconds
/// @param counted  one int in device memory: how often it counted
__global__ void count_for(int* word, unsigned long long ns, int* counted) {
    const unsigned long long begin = lockstep::now_ns();
    int times = 0;
    for (; lockstep::now_ns() - begin < ns; ++times)
        counter(*word).fetch_add(1, cuda::memory_order_relaxed);
    *counted = times;
}
// [/kernel]

/// What both sides reached, and what it took.
struct result {
    int by_gpu;
    int by_cpu;
    bool right;
    lockstep::page_counts counts;
};

/// Lets both count at the same time, for 20 ms.
/// @param for_gpu    the GPU's word
/// @param for_cpu    the CPU's word
/// @param d_counted  one int in device memory
result together(int* for_gpu, int* for_cpu, int* d_counted) {
    constexpr int ms = 20;
    *for_gpu = *for_cpu = 0;
    lockstep::page_counter::read();
    result found{};
    // [together]
    count_for<<<1, 1>>>(for_gpu, ms * 1'000'000, d_counted);
    lockstep::check(cudaGetLastError());
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
    while (std::chrono::steady_clock::now() < end) {
        counter(*for_cpu).fetch_add(1, cuda::memory_order_relaxed);
        ++found.by_cpu;
    }
    found.counts = lockstep::page_counter::read();  // waits for the kernel
    // [/together]
    lockstep::check(
        cudaMemcpy(&found.by_gpu, d_counted, sizeof(int), cudaMemcpyDeviceToHost));
    found.right = *for_gpu == found.by_gpu && *for_cpu == found.by_cpu;
    return found;
}

int main() {
    const CUptiResult available = lockstep::page_counter::start();
    lockstep::require_device(60);
    int concurrent = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
    if (!concurrent || available != CUPTI_SUCCESS) {
        lockstep::report("both at once, and counted", false);
        return EXIT_SUCCESS;
    }
    // [words]
    constexpr int ints_2mib = (2 << 20) / sizeof(int);
    int* data = nullptr;  // 4 MiB: at least two pages of either processor
    lockstep::check(cudaMallocManaged(&data, 2 * ints_2mib * sizeof(int)));
    int* d_counted = nullptr;
    lockstep::check(cudaMalloc(&d_counted, sizeof(int)));
    together(data, data + ints_2mib, d_counted);  // loads the kernel
    const result apart = together(data, data + ints_2mib, d_counted);
    const result same_page = together(data, data + 64, d_counted);  // 256 bytes apart
    // [/words]

    lockstep::report("two pages: CPU counted", lockstep::counted{apart.by_cpu});
    lockstep::report("two pages: GPU counted", lockstep::counted{apart.by_gpu});
    lockstep::report("two pages: GPU faults",
                     lockstep::counted{apart.counts.gpu_faults});
    lockstep::report("two pages: CPU faults",
                     lockstep::counted{apart.counts.cpu_faults});
    lockstep::report("one page: CPU counted", lockstep::counted{same_page.by_cpu});
    lockstep::report("one page: GPU counted", lockstep::counted{same_page.by_gpu});
    lockstep::report("one page: GPU faults",
                     lockstep::counted{same_page.counts.gpu_faults});
    lockstep::report("one page: CPU faults",
                     lockstep::counted{same_page.counts.cpu_faults});
    lockstep::report("one page: thrashing reports",
                     lockstep::counted{same_page.counts.thrashings});
    lockstep::report("no count was lost", apart.right && same_page.right);
    lockstep::check(cudaFree(data));
    lockstep::check(cudaFree(d_counted));
    return apart.right && same_page.right ? EXIT_SUCCESS : EXIT_FAILURE;
}
