// How can an array in device memory grow without moving? Reserve addresses for the
// largest size, and map further memory at the end whenever it is needed. The first
// element keeps its address, so pointers that were stored anywhere remain valid, and
// nothing is copied.

#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Ints in the memory of one device, in a range of addresses that is mapped chunk by
/// chunk. Moves, never copies. Its calls are made where the device's context is
/// current.
class growable_array {
public:
    // [reserve]
    /// Reserves addresses; takes no memory yet.
    /// @param device  the device
    /// @param most    largest number of elements
    growable_array(CUdevice device, std::size_t most) {
        properties_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties_.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        properties_.location.id = device;
        access_.location = properties_.location;
        access_.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        lockstep::check(cuMemGetAllocationGranularity(
            &granularity_, &properties_, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
        reserved_ = rounded(most * sizeof(int));
        lockstep::check(cuMemAddressReserve(&address_, reserved_, 0, 0, 0));
    }
    // [/reserve]
    growable_array(const growable_array&) = delete;
    growable_array& operator=(const growable_array&) = delete;
    /// Takes the range over; `other` is left without one.
    growable_array(growable_array&& other) noexcept
        : properties_(other.properties_),
          access_(other.access_),
          granularity_(other.granularity_),
          reserved_(std::exchange(other.reserved_, 0)),
          mapped_(std::exchange(other.mapped_, 0)),
          chunks_(std::exchange(other.chunks_, {})),
          address_(std::exchange(other.address_, 0)) {}
    ~growable_array() { release(); }

    // [make-room]
    /// Maps memory until there is room for so many elements.
    /// @return the first error; the array is then as before
    CUresult make_room(std::size_t elements) {
        const std::size_t wanted = rounded(elements * sizeof(int));
        if (wanted <= mapped_) return CUDA_SUCCESS;
        if (wanted > reserved_) return CUDA_ERROR_INVALID_VALUE;
        const std::size_t more = wanted - mapped_;
        const CUdeviceptr end = address_ + mapped_;
        CUmemGenericAllocationHandle memory = 0;
        CUresult error = cuMemCreate(&memory, more, &properties_, 0);
        if (error) return error;
        error = cuMemMap(end, more, 0, memory, 0);
        lockstep::check(cuMemRelease(memory));  // from here on, a mapping keeps it
        if (error) return error;
        error = cuMemSetAccess(end, more, &access_, 1);
        if (error) {
            lockstep::check(cuMemUnmap(end, more));
            return error;
        }
        chunks_.push_back(more);
        mapped_ += more;
        return CUDA_SUCCESS;
    }
    // [/make-room]

    // [release]
    /// Waits for all work of the device, which may use the array, and returns
    /// everything.
    /// @return the first error; what comes after it is not done
    CUresult release() {
        if (!address_) return CUDA_SUCCESS;
        int current = -1;
        lockstep::check(cudaGetDevice(&current));
        if (current != properties_.location.id)
            return CUDA_ERROR_INVALID_CONTEXT;  // the wait would be for another device
        CUresult error = cuCtxSynchronize();
        while (!error && !chunks_.empty()) {
            error = cuMemUnmap(address_ + mapped_ - chunks_.back(), chunks_.back());
            if (error) return error;
            mapped_ -= chunks_.back();
            chunks_.pop_back();
        }
        if (!error) error = cuMemAddressFree(address_, reserved_);
        if (!error) address_ = 0;
        return error;
    }
    // [/release]

    /// The first element; the same during the life of the array.
    int* data() const { return reinterpret_cast<int*>(address_); }
    /// Bytes that are mapped.
    std::size_t mapped_bytes() const { return mapped_; }

private:
    std::size_t rounded(std::size_t bytes) const {
        return (bytes + granularity_ - 1) / granularity_ * granularity_;
    }

    CUmemAllocationProp properties_{};
    CUmemAccessDesc access_{};
    std::size_t granularity_ = 0;
    std::size_t reserved_ = 0;
    std::size_t mapped_ = 0;
    std::vector<std::size_t>
        chunks_;  // bytes of each mapping, in the order of addresses
    CUdeviceptr address_ = 0;  // 0 if it has been released or moved
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
    constexpr int device = 0;
    lockstep::check(cudaSetDevice(device));  // creates the primary context

    // [grow]
    growable_array array(device, std::size_t{1} << 30);  // addresses for 4 GiB
    int* const first = array.data();
    const lockstep::device_buffer<int*> d_pointer(std::vector<int*>{first});
    int n = 0;
    for (int more : {100'000, 1'000'000, 10'000'000}) {
        lockstep::check(array.make_room(n + more));
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
    lockstep::check(array.release());
    return right == n ? EXIT_SUCCESS : EXIT_FAILURE;
}
