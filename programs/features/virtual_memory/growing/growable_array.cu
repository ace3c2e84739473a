// How can an array in device memory grow without moving? Reserve addresses for the
// largest size, and map further memory at the end whenever it is needed. The first
// element keeps its address, so pointers that were stored anywhere remain valid, and
// nothing is copied.

#include <cstddef>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>

/// Ints in the memory of device 0, in a range of addresses that is mapped piece by
#include <lockstep/require_device.hpp>

/// Ints in the memory of device 0, in a range of addresses that is mapped piece by
/// piece.
class growable_array {
public:
    // [reserve]
    /// Reserves addresses.
    /// @param most  largest number of elements
    explicit growable_array(std::size_t most) {
        properties_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties_.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        access_.location = properties_.location;
        access_.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        lockstep::check(cuMemGetAllocationGranularity(
            &granule_, &properties_, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
        reserved_ = rounded(most * sizeof(int));
        lockstep::check(cuMemAddressReserve(&address_, reserved_, 0, 0, 0));
    }
    // [/reserve]
    growable_array& operator=(growable_array&&) = delete;
    ~growable_array() {
        CUdeviceptr at = address_;
        for (std::size_t bytes : pieces_) {
            cuMemUnmap(at, bytes);
            at += bytes;
        }
        cuMemAddressFree(address_, reserved_);
    }

    // [make-room]
    /// Maps memory until there is room for so many elements.
    void make_room(std::size_t elements) {
        if (elements * sizeof(int) <= mapped_) return;
        const std::size_t more = rounded(elements * sizeof(int)) - mapped_;
        CUmemGenericAllocationHandle memory = 0;
        lockstep::check(cuMemCreate(&memory, more, &properties_, 0));
        lockstep::check(cuMemMap(address_ + mapped_, more, 0, memory, 0));
        lockstep::check(cuMemSetAccess(address_ + mapped_, more, &access_, 1));
        lockstep::check(cuMemRelease(memory));  // the mapping keeps the memory
        pieces_.push_back(more);
        mapped_ += more;
    }
    // [/make-room]

    /// The first element; the same during the life of the array.
    int* data() const { return reinterpret_cast<int*>(address_); }
    /// Bytes that are mapped.
    std::size_t mapped_bytes() const { return mapped_; }

private:
    std::size_t rounded(std::size_t bytes) const {
        return (bytes + granule_ - 1) / granule_ * granule_;
    }

    CUmemAllocationProp properties_{};
    CUmemAccessDesc access_{};
    std::size_t granule_ = 0, reserved_ = 0, mapped_ = 0;
    std::vector<std::size_t> pieces_;  // bytes of each mapping
    CUdeviceptr address_ = 0;
};

// [append]
/// Appends elements through a pointer that is read from device memory.
/// @param array  holds the address of the array
/// @param begin  index of the first new element
/// @param end    index after the last one
__global__ void append(int* const* array, int begin, int end) {
    const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < end) (*array)[i] = i;
}
// [/append]

int main() {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context

    // [grow]
    growable_array array(std::size_t{1} << 30);  // addresses for 4 GiB
    int* const first = array.data();
    const lockstep::device_buffer<int*> d_pointer(std::vector<int*>{first});
    int n = 0;
    for (int more : {100'000, 1'000'000, 10'000'000}) {
        array.make_room(n + more);
        append<<<(more + 255) / 256, 256>>>(d_pointer.data(), n, n + more);
        lockstep::check(cudaGetLastError());
        n += more;
        lockstep::report("elements", n);
        lockstep::report("  mapped", array.mapped_bytes() >> 20, "MiB");
    }
    // [/grow]
    std::vector<int> result(n, -1);
    lockstep::check(
        cudaMemcpy(result.data(), first, n * sizeof(int), cudaMemcpyDeviceToHost));
    int right = 0;
    for (int i = 0; i < n; ++i) right += result[i] == i;
    lockstep::report("address unchanged", array.data() == first);
    lockstep::report("right elements", right);
    return right == n ? EXIT_SUCCESS : EXIT_FAILURE;
}
