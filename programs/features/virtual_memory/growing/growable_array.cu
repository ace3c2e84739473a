// How can an array in device memory grow without moving? Reserve addresses for the
// largest size, and map further memory at the end whenever it is needed. The first
// element keeps its address, so pointers that were stored anywhere remain valid, and
// nothing is copied.

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Ints in the memory of one device, in a range of addresses that is mapped chunk by
/// chunk. Moves, never copies. No call ends the program: each returns its error.
class growable_array {
public:
    growable_array() = default;
    growable_array(const growable_array&) = delete;
    growable_array& operator=(const growable_array&) = delete;
    /// Takes the range over; `other` is left without one.
    growable_array(growable_array&& other) noexcept
        : context_(other.context_),
          properties_(other.properties_),
          access_(other.access_),
          granularity_(other.granularity_),
          reserved_(std::exchange(other.reserved_, 0)),
          mapped_(std::exchange(other.mapped_, 0)),
          chunks_(std::exchange(other.chunks_, {})),
          address_(std::exchange(other.address_, 0)) {}
    ~growable_array() { release(); }

    // [reserve]
    /// Reserves addresses, and takes no memory yet.
    /// @param device  where the memory will be; its context is current
    /// @param most    largest number of elements
    /// @return the first error; the array then has no range
    CUresult reserve(CUdevice device, std::size_t most) {
        if (address_) return CUDA_ERROR_INVALID_VALUE;  // it has a range
        CUresult error = cuCtxGetCurrent(&context_);
        if (error) return error;
        if (!context_) return CUDA_ERROR_INVALID_CONTEXT;
        properties_.type = CU_MEM_ALLOCATION_TYPE_PINNED;
        properties_.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        properties_.location.id = device;
        access_.location = properties_.location;
        access_.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        error = cuMemGetAllocationGranularity(&granularity_, &properties_,
                                              CU_MEM_ALLOC_GRANULARITY_RECOMMENDED);
        if (error) return error;
        if (most > most_elements()) return CUDA_ERROR_INVALID_VALUE;
        error = cuMemAddressReserve(&address_, rounded(most), 0, 0, 0);
        if (!error) reserved_ = rounded(most);
        return error;
    }
    // [/reserve]

    // [make-room]
    /// Maps memory until there is room for so many elements.
    /// @return the first error; the array is then as before
    CUresult make_room(std::size_t elements) {
        if (!address_ || elements > most_elements()) return CUDA_ERROR_INVALID_VALUE;
        const std::size_t wanted = rounded(elements);
        if (wanted <= mapped_) return CUDA_SUCCESS;
        if (wanted > reserved_) return CUDA_ERROR_INVALID_VALUE;
        const std::size_t more = wanted - mapped_;
        const CUdeviceptr end = address_ + mapped_;
        chunks_.reserve(chunks_.size() + 1);  // may throw; no memory is taken yet
        CUmemGenericAllocationHandle memory = 0;
        CUresult error = cuMemCreate(&memory, more, &properties_, 0);
        if (error) return error;
        error = cuMemMap(end, more, 0, memory, 0);
        const CUresult released = cuMemRelease(memory);  // now a mapping keeps it
        if (error) return error;
        error = released ? released : cuMemSetAccess(end, more, &access_, 1);
        if (error) {
            cuMemUnmap(end, more);
            return error;
        }
        chunks_.push_back(more);
        mapped_ += more;
        return CUDA_SUCCESS;
    }
    // [/make-room]

    // [release]
    /// Waits for all work of the array's context, which may use the array, and returns
    /// everything. It does not matter which context is current.
    /// @return the first error; what comes after it is not done
    CUresult release() {
        if (!address_) return CUDA_SUCCESS;
        CUresult error = cuCtxPushCurrent(context_);
        if (error) return error;
        error = cuCtxSynchronize();
        CUcontext popped = nullptr;
        const CUresult restored = cuCtxPopCurrent(&popped);
        if (!error) error = restored;
        while (!error && !chunks_.empty()) {
            error = cuMemUnmap(address_ + mapped_ - chunks_.back(), chunks_.back());
            if (error) return error;
            mapped_ -= chunks_.back();
            chunks_.pop_back();
        }
        if (!error) error = cuMemAddressFree(address_, reserved_);
        if (!error) address_ = reserved_ = 0;
        return error;
    }
    // [/release]

    /// The first element; the same during the life of the array.
    int* data() const { return reinterpret_cast<int*>(address_); }
    /// Bytes that are mapped.
    std::size_t mapped_bytes() const { return mapped_; }

private:
    // [sizes]
    /// Largest number of elements whose bytes, rounded up, are a std::size_t.
    std::size_t most_elements() const {
        return (std::numeric_limits<std::size_t>::max() - granularity_) / sizeof(int);
    }
    /// Bytes of at most most_elements() elements, rounded up to the granularity.
    std::size_t rounded(std::size_t elements) const {
        const std::size_t bytes = elements * sizeof(int);
        return (bytes + granularity_ - 1) / granularity_ * granularity_;
    }
    // [/sizes]

    CUcontext context_ = nullptr;
    CUmemAllocationProp properties_{};
    CUmemAccessDesc access_{};
    std::size_t granularity_ = 0;
    std::size_t reserved_ = 0;
    std::size_t mapped_ = 0;
    std::vector<std::size_t>
        chunks_;  // bytes of each mapping, in the order of addresses
    CUdeviceptr address_ = 0;  // 0 if nothing is reserved
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
    growable_array array;
    lockstep::check(
        array.reserve(device, std::size_t{1} << 30));  // addresses for 4 GiB
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
    // 4 bytes times 2^62 are 0 in 64 bits: such a growth must not count as done
    const CUresult overflow = array.make_room(std::size_t{1} << 62);
    const CUresult full = array.make_room((std::size_t{1} << 30) + 1);
    std::vector<int> result(n, -1);
    lockstep::check(
        cudaMemcpy(result.data(), first, n * sizeof(int), cudaMemcpyDeviceToHost));
    int right = 0;
    for (int i = 0; i < n; ++i) right += result[i] == i;
    lockstep::report("address unchanged", array.data() == first);
    lockstep::report("right elements", right);
    lockstep::report("room for 2^62 elements", lockstep::name_of(overflow));
    lockstep::report("beyond the reserved range", lockstep::name_of(full));
    // [elsewhere]
    CUresult released = CUDA_ERROR_UNKNOWN;
    std::thread([&] { released = array.release(); }).join();  // has no current context
    lockstep::report("released by a new thread", lockstep::name_of(released));
    // [/elsewhere]
    const bool refused =
        overflow == CUDA_ERROR_INVALID_VALUE && full == CUDA_ERROR_INVALID_VALUE;
    return right == n && refused && !released ? EXIT_SUCCESS : EXIT_FAILURE;
}
