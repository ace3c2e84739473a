// Which memory orders does each operation of cuda::atomic_ref take? A load takes
// relaxed, acquire and seq_cst, a store relaxed, release and seq_cst, an operation that
// reads and writes all five; a compare-exchange takes a second order, that of a load,
// for the case that it fails. Every legal combination is compiled and run here, at each
// of the four scopes.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda/atomic>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int scopes = 4;
constexpr int operations = 9;  // that read and write, without compare-exchange

/// Calls of one scope whose result was right.
struct counts {
    int loads, stores, updates, exchanges;
    int float_sum;  ///< of a float and a double, each 0.5 + 1.5
};

// [orders]
/// One order of all operations that read and write, on a word that holds 12.
/// @tparam Order  the order
/// @param word    the atomic
/// @return how many returned the old value, 12, and left the right one
template <cuda::memory_order Order, class Atomic>
__device__ int update(const Atomic& word) {
    int right = 0;
    const auto after = [&](int old, int now) {
        right += old == 12 && word.load() == now;
        word.store(12);
    };
    after(word.exchange(3, Order), 3);
    after(word.fetch_add(3, Order), 15);
    after(word.fetch_sub(3, Order), 9);
    after(word.fetch_and(6, Order), 4);
    after(word.fetch_or(3, Order), 15);
    after(word.fetch_xor(5, Order), 9);
    after(word.fetch_min(3, Order), 3);
    after(word.fetch_max(30, Order), 30);
    int expected = 12;
    const bool changed = word.compare_exchange_strong(expected, 3, Order);
    after(changed ? 12 : 0, 3);
    return right;
}
// [/orders]

// [failure-order]
/// A compare-exchange that succeeds and one that fails.
/// @tparam Success  the order if the word is changed
/// @tparam Failure  the order if it is only loaded
/// @param word      the atomic, which holds 12
/// @return 1 if both did what they should
template <cuda::memory_order Success, cuda::memory_order Failure, class Atomic>
__device__ int exchange(const Atomic& word) {
    int old = 12, other = 13;
    const bool changed = word.compare_exchange_strong(old, 14, Success, Failure);
    const bool refused = !word.compare_exchange_weak(other, 15, Success, Failure);
    word.store(12);
    return changed && refused && other == 14;
}
// [/failure-order]

/// All failure orders of one success order.
/// @tparam Success  the order if the word is changed
/// @param word      the atomic, which holds 12
/// @return how many did what they should, of 3
template <cuda::memory_order Success, class Atomic>
__device__ int exchanges(const Atomic& word) {
    return exchange<Success, cuda::memory_order_relaxed>(word) +
           exchange<Success, cuda::memory_order_acquire>(word) +
           exchange<Success, cuda::memory_order_seq_cst>(word);
}

/// All orders at one scope; one thread.
/// @tparam Scope   the scope
/// @param numbers  an int, in device memory
/// @param floats   a float, 0.5
/// @param doubles  a double, 0.5
/// @param out      in device memory, written
template <cuda::thread_scope Scope>
__global__ void try_orders(int* numbers, float* floats, double* doubles, counts* out) {
    const cuda::atomic_ref<int, Scope> word(*numbers);
    counts right = {};
    // [load-store]
    word.store(12);
    right.loads += word.load(cuda::memory_order_relaxed) == 12;
    right.loads += word.load(cuda::memory_order_acquire) == 12;
    right.loads += word.load(cuda::memory_order_seq_cst) == 12;
    word.store(1, cuda::memory_order_relaxed);
    right.stores += word.load() == 1;
    word.store(2, cuda::memory_order_release);
    right.stores += word.load() == 2;
    word.store(12, cuda::memory_order_seq_cst);
    right.stores += word.load() == 12;
    // [/load-store]
    right.updates = update<cuda::memory_order_relaxed>(word) +
                    update<cuda::memory_order_acquire>(word) +
                    update<cuda::memory_order_release>(word) +
                    update<cuda::memory_order_acq_rel>(word) +
                    update<cuda::memory_order_seq_cst>(word);
    right.exchanges = exchanges<cuda::memory_order_relaxed>(word) +
                      exchanges<cuda::memory_order_acquire>(word) +
                      exchanges<cuda::memory_order_release>(word) +
                      exchanges<cuda::memory_order_acq_rel>(word) +
                      exchanges<cuda::memory_order_seq_cst>(word);
    const cuda::atomic_ref<float, Scope> single(*floats);
    const cuda::atomic_ref<double, Scope> wide(*doubles);
    single.fetch_add(1.5f, cuda::memory_order_relaxed);
    wide.fetch_add(1.5, cuda::memory_order_relaxed);
    right.float_sum = static_cast<int>(single.load()) + static_cast<int>(wide.load());
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, Scope);
    *out = right;
}

int main() {
    lockstep::require_device();

    lockstep::device_buffer<counts> d_counts(scopes);
    d_counts.fill_bytes(0xFF);
    const auto run = [&](auto kernel, int place) {
        lockstep::device_buffer<int> d_number(1);
        lockstep::device_buffer<float> d_float(std::vector<float>{0.5f});
        lockstep::device_buffer<double> d_double(std::vector<double>{0.5});
        kernel<<<1, 1>>>(d_number.data(), d_float.data(), d_double.data(),
                         d_counts.data() + place);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
    };
    run(try_orders<cuda::thread_scope_thread>, 0);
    run(try_orders<cuda::thread_scope_block>, 1);
    run(try_orders<cuda::thread_scope_device>, 2);
    run(try_orders<cuda::thread_scope_system>, 3);
    const std::vector<counts> found = d_counts.to_host();

    const char* names[scopes] = {"thread", "block", "device", "system"};
    bool right = true;
    std::printf("scope     loads  stores  read and write  compare-exchange\n");
    for (int scope = 0; scope < scopes; ++scope) {
        const counts& c = found[scope];
        std::printf("%-10s%5d%8d%16d%18d\n", names[scope], c.loads, c.stores, c.updates,
                    c.exchanges);
        right = right && c.loads == 3 && c.stores == 3 && c.updates == 5 * operations &&
                c.exchanges == 15 && c.float_sum == 4;
    }
    std::printf("%-10s%5d%8d%16d%18d\n", "legal", 3, 3, 5 * operations, 15);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
