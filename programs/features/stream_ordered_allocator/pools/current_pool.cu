// Which pool does an allocation come from? The pool that the call names; if it names
// none, the current pool of the stream's device, which at first is the default pool.

#include <cstdlib>

#include <lockstep/device.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/stream.hpp>

/// The pool that an allocation comes from.
/// @param pointer  what cudaMallocAsync gave
cudaMemPool_t pool_of(const void* pointer) {
    CUmemoryPool pool = nullptr;
    lockstep::check(cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE,
                                          reinterpret_cast<CUdeviceptr>(pointer)));
    return pool;
}

int main() {
    lockstep::require_device();

    constexpr std::size_t bytes = 1 << 20;
    const lockstep::stream stream;
    bool right = true;
    const auto expect = [&](const char* label, bool value) {
        lockstep::report(label, value);
        right = right && value;
    };
    // [create]
    cudaMemPool_t usual = nullptr;
    lockstep::check(cudaDeviceGetDefaultMemPool(&usual, 0));

    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;  // it does not migrate
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    cudaMemPool_t ours = nullptr;
    lockstep::check(cudaMemPoolCreate(&ours, &props));
    // [/create]

    // [allocate]
    void* x[4] = {};
    lockstep::check(cudaMallocAsync(&x[0], bytes, stream));
    lockstep::check(cudaMallocFromPoolAsync(&x[1], bytes, ours, stream));
    lockstep::check(cudaMallocAsync(&x[2], bytes, ours, stream));  // the same in C++
    lockstep::check(cudaDeviceSetMemPool(0, ours));
    lockstep::check(cudaMallocAsync(&x[3], bytes, stream));
    // [/allocate]
    expect("none named: default pool", pool_of(x[0]) == usual);
    expect("named: that pool", pool_of(x[1]) == ours);
    expect("named, overload: that pool", pool_of(x[2]) == ours);
    expect("none named, ours current", pool_of(x[3]) == ours);

    // [destroy]
    lockstep::check(cudaMemPoolDestroy(ours));  // three allocations still live
    cudaMemPool_t current = nullptr;
    lockstep::check(cudaDeviceGetMemPool(&current, 0));
    // [/destroy]
    expect("destroyed: default again", current == usual);
    for (void* one : x) lockstep::check(cudaMemsetAsync(one, 1, bytes, stream));
    for (void* one : x) lockstep::check(cudaFreeAsync(one, stream));
    const cudaError_t error = cudaStreamSynchronize(stream);
    lockstep::report("its memory, used and freed", cudaGetErrorName(error));
    return right && error == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
