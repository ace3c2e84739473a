// One kernel keeps a block on every SM and waits for the host. A kernel in another
// stream wants a different division of the L1 / shared memory. Does it run beside the
// first, or wait for it to end? Asked for a hint, for the older call that sets a
// requirement, and for a block that needs the memory; with all SMs occupied, and with
// one left free.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>

#include <cuda/atomic>

#include <lockstep/load_kernels.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/shared_flag.hpp>

/// How a kernel says which division it wants.
enum request {
    nothing,
    carveout_l1,      ///< the carveout attribute, 0 %: a hint
    carveout_shared,  ///< the carveout attribute, 100 %
    prefer_l1,        ///< cudaFuncSetCacheConfig: a requirement, says the guide
    prefer_shared,    ///< likewise
};

/// An int that the CPU and the GPU may read and write at the same time.
using shared_int = cuda::atomic_ref<int, cuda::thread_scope_system>;

// [kernels]
/// Each block notes its SM, then waits until the host raises the flag.
/// @tparam wanted    makes a kernel of its own for each setting
/// @param open       a flag in pinned host memory
/// @param homes      one int a block in pinned host memory: 1 + the number of its SM
/// @param patience   cycles of the SM's clock after which a block gives up
template <request wanted>
__global__ void occupy(const lockstep::shared_flag* open, int* homes,
                       long long patience) {
    int sm = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    shared_int(homes[blockIdx.x]).store(1 + sm, cuda::memory_order_relaxed);
    const long long start = clock64();
    while (!open->raised() && clock64() - start < patience) {
    }
}

/// Does nothing.
/// @tparam wanted  makes a kernel of its own for each setting
template <request wanted>
__global__ void work() {}
// [/kernels]

// [ask]
/// Asks for a division of the L1 / shared memory by one of the two calls.
/// @param kernel  the kernel whose launches want it
/// @param wanted  what, and how
template <class Kernel>
void ask(Kernel kernel, request wanted) {
    constexpr auto carveout = cudaFuncAttributePreferredSharedMemoryCarveout;
    switch (wanted) {
        case nothing: break;
        case carveout_l1:
            lockstep::check(
                cudaFuncSetAttribute(kernel, carveout, cudaSharedmemCarveoutMaxL1));
            break;
        case carveout_shared:
            lockstep::check(
                cudaFuncSetAttribute(kernel, carveout, cudaSharedmemCarveoutMaxShared));
            break;
        case prefer_l1:
            lockstep::check(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1));
            break;
        case prefer_shared:
            lockstep::check(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferShared));
            break;
    }
}
// [/ask]

/// What one experiment found.
enum class outcome { overlap, wait, failed };

/// Launches `second` while `first` occupies SMs.
/// @param first   the kernel that occupies
/// @param second  the kernel that asks for something else
/// @param blocks  how many SMs to occupy
/// @param bytes   dynamic shared memory of the second kernel's block
template <class First, class Second>
outcome beside(First first, Second second, int blocks, int bytes) {
    lockstep::shared_flag* open = nullptr;
    int* homes = nullptr;
    lockstep::check(cudaMallocHost(&open, sizeof *open));
    lockstep::check(cudaMallocHost(&homes, blocks * sizeof(int)));
    *open = lockstep::shared_flag{};
    for (int block = 0; block < blocks; ++block) homes[block] = 0;
    const lockstep::owned_stream one;
    const lockstep::owned_stream two;
    const auto patience = std::chrono::milliseconds(10);

    // [experiment]
    first<<<blocks, 32, 0, one>>>(open, homes, 1'000'000'000);
    lockstep::check(cudaGetLastError());
    for (int block = 0; block < blocks; ++block)
        while (shared_int(homes[block]).load(cuda::memory_order_relaxed) == 0 &&
               cudaStreamQuery(one) == cudaErrorNotReady) {
        }  // until every block has begun
    second<<<1, 32, bytes, two>>>();
    lockstep::check(cudaGetLastError());
    const auto begin = std::chrono::steady_clock::now();
    while (cudaStreamQuery(two) == cudaErrorNotReady &&
           std::chrono::steady_clock::now() - begin < patience) {
    }
    const bool ended = cudaStreamQuery(two) == cudaSuccess;
    const bool still_there = cudaStreamQuery(one) == cudaErrorNotReady;
    open->raise();
    lockstep::check(cudaDeviceSynchronize());
    // [/experiment]

    const std::set<int> distinct(homes, homes + blocks);
    const bool one_each =
        distinct.count(0) == 0 && distinct.size() == static_cast<std::size_t>(blocks);
    lockstep::check(cudaFreeHost(open));
    lockstep::check(cudaFreeHost(homes));
    if (!still_there || !one_each) return outcome::failed;
    return ended ? outcome::overlap : outcome::wait;
}

/// One row of a table: a second kernel beside four first ones.
/// @tparam wanted  what the second kernel asks for
/// @param name    what the row is called
/// @param blocks  how many SMs the first kernel occupies
/// @param bytes   dynamic shared memory of the second kernel's block
/// @return whether the experiments worked, whatever they found
template <request wanted>
bool row(const char* name, int blocks, int bytes) {
    const outcome found[] = {
        beside(occupy<carveout_l1>, work<wanted>, blocks, bytes),
        beside(occupy<carveout_shared>, work<wanted>, blocks, bytes),
        beside(occupy<prefer_l1>, work<wanted>, blocks, bytes),
        beside(occupy<prefer_shared>, work<wanted>, blocks, bytes)};
    std::printf("%-26s", name);
    bool worked = true;
    for (int i = 0; i < 4; ++i) {
        const char* word = found[i] == outcome::overlap ? "overlaps"
                           : found[i] == outcome::wait  ? "waits"
                                                        : "failed";
        std::printf(i < 3 ? "%-15s" : "%s\n", word);
        worked = worked && found[i] != outcome::failed;
    }
    return worked;
}

/// All rows, with every SM occupied.
bool table(int blocks) {
    std::printf(
        "first kernel:             carveout 0 %%   carveout 100 %% "
        "PreferL1       PreferShared\nsecond kernel\n");
    bool worked = row<nothing>("nothing", blocks, 0);
    worked = row<carveout_l1>("carveout 0 %", blocks, 0) && worked;
    worked = row<carveout_shared>("carveout 100 %", blocks, 0) && worked;
    worked = row<prefer_l1>("PreferL1", blocks, 0) && worked;
    worked = row<prefer_shared>("PreferShared", blocks, 0) && worked;
    return row<nothing>("nothing, needs 40 KiB", blocks, 40 * 1024) && worked;
}

/// The same with one SM free, in one line: how many of the pairs overlap.
bool summary(int blocks) {
    int pairs = 0;
    int overlap = 0;
    bool worked = true;
    const auto count = [&](outcome found) {
        ++pairs;
        overlap += found == outcome::overlap;
        worked = worked && found != outcome::failed;
    };
    const auto beside_each = [&](auto second, int bytes) {
        count(beside(occupy<carveout_l1>, second, blocks, bytes));
        count(beside(occupy<carveout_shared>, second, blocks, bytes));
        count(beside(occupy<prefer_l1>, second, blocks, bytes));
        count(beside(occupy<prefer_shared>, second, blocks, bytes));
    };
    beside_each(work<nothing>, 0);
    beside_each(work<carveout_l1>, 0);
    beside_each(work<carveout_shared>, 0);
    beside_each(work<prefer_l1>, 0);
    beside_each(work<prefer_shared>, 0);
    beside_each(work<nothing>, 40 * 1024);
    lockstep::report("pairs", pairs);
    lockstep::report("that overlap", overlap);
    return worked;
}

/// Asks for the divisions, and loads both kernels.
template <request wanted>
void prepare() {
    ask(occupy<wanted>, wanted);
    ask(work<wanted>, wanted);
    lockstep::load_kernels(occupy<wanted>, work<wanted>);
}

int main() {
    lockstep::require_device();

    prepare<nothing>();
    prepare<carveout_l1>();
    prepare<carveout_shared>();
    prepare<prefer_l1>();
    prepare<prefer_shared>();
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));

    lockstep::report("multiprocessors", sms);
    std::printf("\nthe first kernel occupies every multiprocessor\n");
    bool worked = table(sms);
    std::printf("\nthe first kernel leaves one multiprocessor free\n");
    worked = summary(sms - 1) && worked;
    return worked ? EXIT_SUCCESS : EXIT_FAILURE;
}
