// May one thread write through one address, and another thread of its block read the
// same word through the other address? Yes, if a proxy fence and a barrier lie between
// the two accesses: the fence may come before the barrier, in the thread that writes,
// or after it, in the one that reads. With the barrier alone the result is not defined.

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
constexpr int block_size = 256;

enum class fence { none, before_barrier, after_barrier };

// [kernel]
/// Changes a word by one address, and reads another thread's word by the other address.
/// @tparam where  where the proxy fence stands
/// @param one     n ints in device memory, changed
/// @param other   the same memory, through another mapping
/// @param before  n ints, written: the neighbor's word at first; not compared
/// @param after   n ints, written: the neighbor's word at last
template <fence where>
__global__ void change_and_exchange(int* one, const int* other, int* before,
                                    int* after) {
    const int begin = blockIdx.x * blockDim.x;
    const int own = begin + threadIdx.x;
    const int neighbor = begin + (threadIdx.x + blockDim.x / 2) % blockDim.x;
    before[own] = other[neighbor];  // may bring it into L1 under this address
    __syncthreads();
    one[own] = own + 1;
    if constexpr (where == fence::before_barrier) cuda::ptx::fence_proxy_alias();
    __syncthreads();
    if constexpr (where == fence::after_barrier) cuda::ptx::fence_proxy_alias();
    after[own] = other[neighbor];
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

    bool right = true;
    const auto stale_words = [&](auto kernel, bool defined) {
        lockstep::check(cudaMemset(one, 0, bytes));
        d_after.fill_bytes(0xFF);
        kernel<<<n / block_size, block_size>>>(one, other, d_before.data(),
                                               d_after.data());
        lockstep::check(cudaGetLastError());
        const std::vector<int> after = d_after.to_host();
        int stale = 0, changed = 0;
        for (int i = 0; i < n; ++i) {
            const int begin = i / block_size * block_size;
            const int neighbor = begin + (i - begin + block_size / 2) % block_size;
            stale += after[i] == 0;
            changed += after[i] == neighbor + 1;
        }
        if (defined) right = right && changed == n;
        return stale;
    };
    const int plain = stale_words(change_and_exchange<fence::none>, false);
    const int writer = stale_words(change_and_exchange<fence::before_barrier>, true);
    const int reader = stale_words(change_and_exchange<fence::after_barrier>, true);
    lockstep::report("words", n);
    lockstep::report("stale: barrier alone", lockstep::counted{plain});
    lockstep::report("stale: fence, barrier", writer);
    lockstep::report("stale: barrier, fence", reader);

    for (CUdeviceptr at : address) {
        lockstep::check(cuMemUnmap(at, bytes));
        lockstep::check(cuMemAddressFree(at, bytes));
    }
    lockstep::check(cuMemRelease(memory));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
