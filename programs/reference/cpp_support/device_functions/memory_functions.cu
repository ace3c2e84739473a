// Which memory functions of C does a kernel have? memcpy and memset for memory of any
// kind, malloc and free for the device heap, with an alignment of 16 bytes or one that
// the program chooses, and alloca for the stack of the thread.

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// What the threads found; true unless a thread says otherwise.
struct findings {
    bool copied, filled, returned_first, malloc_16, aligned_256, new_64, alloca_16,
        summed;
};

/// A type with an alignment of its own.
struct alignas(64) line {
    char bytes[64];
};

/// Calls each function in each thread; one block.
/// @param count  of the bytes to allocate
/// @param found  in device memory
__global__ void call_each(int count, findings* found) {
    const int me = threadIdx.x;
    int from[4] = {me, me + 1, me + 2, me + 3};
    int to[4];
    void* const first = memcpy(to, from, sizeof to);  // local memory
    if (first != to) found->returned_first = false;
    if (to[0] != me || to[3] != me + 3) found->copied = false;

    auto* heap = static_cast<unsigned char*>(malloc(count + me));  // a size of its own
    memset(heap, 0xAB, count);
    if (heap[0] != 0xAB || heap[count - 1] != 0xAB) found->filled = false;
    if (reinterpret_cast<std::uintptr_t>(heap) % 16 != 0) found->malloc_16 = false;
    free(heap);

    void* const wide = __nv_aligned_device_malloc(count, 256);  // a power of two
    if (reinterpret_cast<std::uintptr_t>(wide) % 256 != 0) found->aligned_256 = false;
    free(wide);

    line* const object = new line;  // asks for the alignment of its type
    if (reinterpret_cast<std::uintptr_t>(object) % 64 != 0) found->new_64 = false;
    delete object;

    auto* scratch = static_cast<int*>(alloca(count * sizeof(int)));  // until the return
    if (reinterpret_cast<std::uintptr_t>(scratch) % 16 != 0) found->alloca_16 = false;
    for (int i = 0; i < count; ++i) scratch[i] = i + me;
    int sum = 0;
    for (int i = count - 1; i >= 0; --i) sum += scratch[i];
    if (sum != count * (count - 1) / 2 + count * me) found->summed = false;
}
// [/kernel]

int main() {
    lockstep::require_device();
    lockstep::device_buffer<findings> d_found(1);
    d_found.fill_bytes(1);
    call_each<<<1, 64>>>(100, d_found.data());
    lockstep::check(cudaGetLastError());
    const findings found = d_found.to_host()[0];
    lockstep::report("memcpy copied", found.copied);
    lockstep::report("memcpy returned the target", found.returned_first);
    lockstep::report("memset filled", found.filled);
    lockstep::report("malloc, multiple of 16", found.malloc_16);
    lockstep::report("aligned, multiple of 256", found.aligned_256);
    lockstep::report("new, type aligned to 64", found.new_64);
    lockstep::report("alloca, multiple of 16", found.alloca_16);
    lockstep::report("sums from the stack right", found.summed);
    const bool right = found.copied && found.returned_first && found.filled &&
                       found.malloc_16 && found.aligned_256 && found.new_64 &&
                       found.alloca_16 && found.summed;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
