// May one kernel write through one address and read the same word through the other?
// Only with a proxy fence between the two. Each thread reads its word through the
// second mapping, changes it through the first, and reads it again: once without the
// fence, which has no defined result, and once with it.

#include <cstddef>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>
#include <cuda/ptx>

#include <lockstep/device_buffer.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t bytes = 2 << 20;  // the granularity on the GPUs of this site
constexpr int n = bytes / sizeof(int);

// [kernel]
/// Reads each word by one address, changes it by the other one, and reads it again.
/// @tparam fenced  whether a proxy fence stands between change and second reading
/// @param one     n ints in device memory, changed
/// @param other   the same memory, through another mapping
/// @param before  n ints, written: what was read first
/// @param after   n ints, written: what was read at last
template <bool fenced>
__global__ void change_and_read(int* one, const int* other, int* before, int* after) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    before[i] = other[i];
    one[i] = i + 1;
    if constexpr (fenced) cuda::ptx::fence_proxy_alias();
    after[i] = other[i];
}
// [/kernel]

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemAccessDesc access{};
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CUmemGenericAllocationHandle memory = 0;
    lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));
    CUdeviceptr address[2] = {};
    for (CUdeviceptr& at : address) {
        lockstep::check(cuMemAddressReserve(&at, bytes, 0, 0, 0));
        lockstep::check(cuMemMap(at, bytes, 0, memory, 0));
        lockstep::check(cuMemSetAccess(at, bytes, &access, 1));
    }
    int* one = reinterpret_cast<int*>(address[0]);
    int* other = reinterpret_cast<int*>(address[1]);
    lockstep::device_buffer<int> d_before(n), d_after(n);

    struct outcome {
        int started_right, changed, stale;
    };
    // [experiment]
    const auto outcome_of = [&](auto kernel) {
        lockstep::check(cudaMemset(one, 0, bytes));
        d_after.fill_bytes(0xFF);
        kernel<<<n / 256, 256>>>(one, other, d_before.data(), d_after.data());
        lockstep::check(cudaGetLastError());
        const std::vector<int> before = d_before.to_host(), after = d_after.to_host();
        outcome found{};
        for (int i = 0; i < n; ++i) {
            found.started_right += before[i] == 0;
            found.changed += after[i] == i + 1;
            found.stale += after[i] == 0;
        }
        return found;
    };
    const outcome plain = outcome_of(change_and_read<false>);
    const outcome fenced = outcome_of(change_and_read<true>);
    // [/experiment]
    lockstep::report("words", n);
    lockstep::report("without fence: stale", lockstep::counted{plain.stale});
    lockstep::report("without fence: changed", lockstep::counted{plain.changed});
    lockstep::report("with fence: stale", fenced.stale);
    lockstep::report("with fence: changed", fenced.changed);

    for (CUdeviceptr at : address) {
        lockstep::check(cuMemUnmap(at, bytes));
        lockstep::check(cuMemAddressFree(at, bytes));
    }
    lockstep::check(cuMemRelease(memory));
    const bool right =
        plain.started_right == n && fenced.started_right == n && fenced.changed == n;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
