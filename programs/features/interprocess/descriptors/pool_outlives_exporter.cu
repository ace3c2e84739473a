// The process that owns a shared pool is killed. Can the process that imported the pool
// still read the allocation? The documentation does not say; the program prints what
// came of it in this run.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1 << 19;
constexpr auto by_descriptor = cudaMemHandleTypePosixFileDescriptor;

/// Sets all elements.
/// @param x      n ints in device memory, written
/// @param value  the number that all become
__global__ void fill_pool_memory(int* x, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = value;
}

/// Counts the elements that are 1.
/// @param x      n ints in device memory
/// @param count  one int in device memory, added to
__global__ void count_ones(const int* x, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] == 1) atomicAdd(count, 1);
}

/// The owner, the second process.
int own(const lockstep::partner& first) {
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.handleTypes = by_descriptor;
    props.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool = nullptr;
    void* x = nullptr;
    int descriptor = -1;
    cudaMemPoolPtrExportData data{};
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    lockstep::check(
        cudaMemPoolExportToShareableHandle(&descriptor, pool, by_descriptor, 0));
    lockstep::check(cudaMallocFromPoolAsync(&x, n * sizeof(int), pool, nullptr));
    fill_pool_memory<<<n / 256, 256>>>(static_cast<int*>(x), 1);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaStreamSynchronize(nullptr));
    lockstep::check(cudaMemPoolExportPointer(&data, x));
    first.send(data, descriptor);
    first.receive<int>();  // it is killed here
    return EXIT_FAILURE;
}

/// The importer, the first process.
int import_and_survive(lockstep::partner second) {
    lockstep::device_buffer<int> d_count(std::vector<int>{0});
    int descriptor = -1;
    auto data = second.receive<cudaMemPoolPtrExportData>(&descriptor);
    // [import]
    cudaMemPool_t pool = nullptr;
    void* x = nullptr;
    lockstep::check(cudaMemPoolImportFromShareableHandle(
        &pool, reinterpret_cast<void*>(std::intptr_t{descriptor}), by_descriptor, 0));
    lockstep::check(cudaMemPoolImportPointer(&x, pool, &data));
    second.kill();
    lockstep::report("owner gone", second.gone());
    count_ones<<<n / 256, 256>>>(static_cast<const int*>(x), d_count.data());
    cudaError_t read = cudaGetLastError();
    int count = 0;
    if (read == cudaSuccess)
        read = cudaMemcpy(&count, d_count.data(), sizeof count, cudaMemcpyDeviceToHost);
    // [/import]
    lockstep::report("elements", n);
    lockstep::report("read", cudaGetErrorName(read));
    lockstep::report("ones in it", lockstep::counted{count});
    lockstep::report("cudaFree", cudaGetErrorName(cudaFree(x)));
    lockstep::report("destroy the import", cudaGetErrorName(cudaMemPoolDestroy(pool)));
    return EXIT_SUCCESS;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    lockstep::require_device();
    if (socket >= 0) return own(lockstep::partner(socket));
    return import_and_survive(lockstep::partner(argv[0]));
}
