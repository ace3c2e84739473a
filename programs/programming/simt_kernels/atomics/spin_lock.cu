// What does a lock cost in a kernel, and when does it hang? Whatever the lock protects
// runs one thread at a time, and all others poll one address. If one thread of a block
// takes it for all of them, few hand-overs are left; where atomic operations on single
// words suffice, none is needed. A thread that waits at a barrier while it holds the
// lock waits for threads that wait for the lock.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <cuda/atomic>

#include <lockstep/back_to_back.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int block_size = 256;
constexpr long long patience = 1'000'000'000;  // clock ticks, about half a second

/// What the threads change together, and the lock.
struct shared_totals {
    int lock;     ///< 1 while a thread holds it
    int sum;      ///< of all elements
    int largest;  ///< of all elements
    int gave_up;  ///< threads that waited too long
};

// [lock]
using lock_word = cuda::atomic_ref<int, cuda::thread_scope_device>;

/// Takes the lock, or gives up; returns whether the thread has it.
/// @param lock   0 or 1 in device memory
/// @param limit  clock ticks to wait, at most
__device__ bool take(int* lock, long long limit) {
    const long long start = clock64();
    int expected = 0;
    while (!lock_word(*lock).compare_exchange_strong(expected, 1,
                                                     cuda::memory_order_acquire)) {
        if (clock64() - start > limit) return false;
        expected = 0;  // it was replaced by what was found
    }
    return true;
}

/// Gives the lock back; others now see what its holder wrote.
/// @param lock  the lock that the calling thread holds
__device__ void release(int* lock) {
    lock_word(*lock).store(0, cuda::memory_order_release);
}
// [/lock]

// [each]
/// Each thread takes the lock to add its element.
/// @param n       number of elements
/// @param x       device array of `n` elements
/// @param totals  device value
__global__ void lock_each(int n, const int* x, shared_totals* totals) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (take(&totals->lock, patience)) {
        totals->sum += x[i];
        totals->largest = max(totals->largest, x[i]);
        release(&totals->lock);
    } else {
        atomicAdd(&totals->gave_up, 1);
    }
}
// [/each]

// [once]
/// The block adds up in shared memory, and one thread takes the lock.
/// @param n       number of elements
/// @param x       device array of `n` elements
/// @param totals  device value
__global__ void lock_once(int n, const int* x, shared_totals* totals) {
    __shared__ int sum, largest;
    if (threadIdx.x == 0) sum = largest = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&sum, x[i]);
        atomicMax(&largest, x[i]);
    }
    __syncthreads();  // no barrier after this: a holder must not wait at one
    if (threadIdx.x > 0) return;
    if (take(&totals->lock, patience)) {
        totals->sum += sum;
        totals->largest = max(totals->largest, largest);
        release(&totals->lock);
    } else {
        atomicAdd(&totals->gave_up, 1);
    }
}
// [/once]

// [none]
/// Without a lock: each word has an atomic operation of its own.
/// @param n       number of elements
/// @param x       device array of `n` elements
/// @param totals  device value
__global__ void atomics_each(int n, const int* x, shared_totals* totals) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&totals->sum, x[i]);
    atomicMax(&totals->largest, x[i]);
}
// [/none]

/// Without a lock, one thread for its block.
/// @param n       number of elements
/// @param x       device array of `n` elements
/// @param totals  device value
__global__ void atomics_once(int n, const int* x, shared_totals* totals) {
    __shared__ int sum, largest;
    if (threadIdx.x == 0) sum = largest = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&sum, x[i]);
        atomicMax(&largest, x[i]);
    }
    __syncthreads();
    if (threadIdx.x > 0) return;
    atomicAdd(&totals->sum, sum);
    atomicMax(&totals->largest, largest);
}

// [inside]
/// One block, and wrong: a barrier while the lock is held. Without a limit, no thread
/// would come any further.
/// @param x       device array of one element for each thread
/// @param limit   clock ticks to wait for the lock, at most
/// @param totals  device value
__global__ void barrier_inside(const int* x, long long limit, shared_totals* totals) {
    const bool mine = take(&totals->lock, limit);
    __syncthreads();  // the holder waits here for threads that wait for the lock
    if (mine) {
        totals->sum += x[threadIdx.x];
        release(&totals->lock);
    } else {
        atomicAdd(&totals->gave_up, 1);
    }
}
// [/inside]

using kernel = void (*)(int, const int*, shared_totals*);

/// Runs a kernel once and checks it, then times it; returns microseconds, or -1 if the
/// totals are wrong.
double time_us(kernel add_up, const std::vector<int>& x, const int* d_x, bool untimed) {
    const int n = static_cast<int>(x.size());
    lockstep::device_buffer<shared_totals> d_totals(1);
    d_totals.fill_bytes(0);
    const auto launch = [&] {
        add_up<<<(n + block_size - 1) / block_size, block_size>>>(n, d_x,
                                                                  d_totals.data());
    };
    launch();
    lockstep::check(cudaGetLastError());
    const shared_totals totals = d_totals.to_host()[0];
    int sum = 0;
    for (const int element : x) sum += element;
    const int largest = *std::max_element(x.begin(), x.end());
    if (totals.sum != sum || totals.largest != largest || totals.gave_up > 0) return -1;
    return untimed ? 0 : lockstep::time_back_to_back(launch, 10).median_ms * 1e3;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 4096, block_size, 1 << 16);
    const bool inside = options.choice("barrier", {"outside", "inside"}) == 1;
    // checks values only, where time means nothing
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    std::vector<int> x(n);
    for (int i = 0; i < n; ++i) x[i] = 1 + i * 7 % 1000;
    const lockstep::device_buffer<int> d_x(x);

    if (inside) {
        constexpr long long limit = 10'000'000;  // some milliseconds
        lockstep::device_buffer<shared_totals> d_totals(1);
        d_totals.fill_bytes(0);
        barrier_inside<<<1, block_size>>>(d_x.data(), limit, d_totals.data());
        lockstep::check(cudaGetLastError());
        const shared_totals totals = d_totals.to_host()[0];
        lockstep::report("threads", block_size);
        lockstep::report("took the lock", block_size - totals.gave_up);
        lockstep::report("gave up", totals.gave_up);
        return totals.gave_up == block_size - 1 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    const double each = time_us(lock_each, x, d_x.data(), untimed);
    const double once = time_us(lock_once, x, d_x.data(), untimed);
    const double no_lock = time_us(atomics_each, x, d_x.data(), untimed);
    const double no_lock_once = time_us(atomics_once, x, d_x.data(), untimed);
    const bool right = each >= 0 && once >= 0 && no_lock >= 0 && no_lock_once >= 0;
    lockstep::report("elements", n);
    lockstep::report("sum and maximum are right", right);
    if (!untimed) {
        lockstep::report("lock, each thread", lockstep::measured{each}, "us");
        lockstep::report("lock, once for a block", lockstep::measured{once}, "us");
        lockstep::report("atomics, each thread", lockstep::measured{no_lock}, "us");
        lockstep::report("atomics, once for a block", lockstep::measured{no_lock_once},
                         "us");
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
