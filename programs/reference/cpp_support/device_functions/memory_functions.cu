// Which memory functions of C does a kernel have? memcpy and memset for memory of any
// kind, malloc and free for the device heap, with an alignment of 16 bytes or one that
// the program chooses, and alloca for the stack of the thread.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int threads = 64;
const char* const rows[] = {"memcpy",           "malloc, multiple of 16",
                            "memset",           "aligned, multiple of 256",
                            "new, class of 64", "alloca, multiple of 16",
                            "sum on the stack"};
constexpr int row_count = sizeof rows / sizeof *rows;

/// Counts an address that is not null, and a multiple; not inlined, so that the
/// compiler assumes nothing of it.
__device__ __noinline__ void count_multiple(const void* p, int of, int* count) {
    if (p != nullptr && reinterpret_cast<std::uintptr_t>(p) % of == 0)
        atomicAdd(count, 1);
}

/// A type with an alignment of its own.
struct alignas(64) line {
    char bytes[64];
};

// [kernel]
/// Calls each function in each thread; one block.
/// @param n      bytes or ints to allocate
/// @param right  for how many threads each was right: ints in device memory, increased
__global__ void call_each(int n, int* right) {
    const int me = threadIdx.x;
    const int from[4] = {me, me + 1, me + 2, me + 3};
    int to[4];
    if (memcpy(to, from, sizeof to) == to && to[3] == me + 3) atomicAdd(&right[0], 1);

    auto* bytes = static_cast<unsigned char*>(malloc(n + me));
    count_multiple(bytes, 16, &right[1]);
    if (memset(bytes, 0xAB, n) == bytes && bytes[n - 1] == 0xAB)
        atomicAdd(&right[2], 1);
    free(bytes);
    void* const wide = __nv_aligned_device_malloc(n, 256);
    count_multiple(wide, 256, &right[3]);
    free(wide);
    line* const object = new line;  // asks for the alignment of its class
    count_multiple(object, 64, &right[4]);
    delete object;

    auto* scratch = static_cast<int*>(alloca(n * sizeof(int)));  // until the return
    count_multiple(scratch, 16, &right[5]);
    for (int i = 0; i < n; ++i) scratch[i] = i + me;
    int sum = 0;
    for (int i = n - 1; i >= 0; --i) sum += scratch[i];
    if (sum == n * (n - 1) / 2 + n * me) atomicAdd(&right[6], 1);
}
// [/kernel]

int main() {
    lockstep::require_device();
    lockstep::device_buffer<int> d_right(row_count);
    d_right.fill_bytes(0);
    call_each<<<1, threads>>>(100, d_right.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> right = d_right.to_host();
    bool all = true;
    for (int row = 0; row < row_count; ++row) {
        lockstep::report(rows[row], right[row], "of 64 threads");
        all = all && right[row] == threads;
    }
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
