// Is there a default pool for memory that is not on a GPU? From CUDA 13.0 on a program
// can ask for one by place and kind of memory. Here: one of the device, one of the
// host. Each place has a current pool, too.

#include <cstdlib>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    const lockstep::owned_stream stream;
    // [default]
    constexpr auto pinned = cudaMemAllocationTypePinned;
    cudaMemLocation gpu{};
    gpu.type = cudaMemLocationTypeDevice;
    gpu.id = 0;
    cudaMemLocation host{};
    host.type = cudaMemLocationTypeHost;  // wherever the system puts it
    cudaMemPool_t of_gpu = nullptr;
    cudaMemPool_t of_host = nullptr;
    cudaMemPool_t usual = nullptr;
    lockstep::check(cudaMemGetDefaultMemPool(&of_gpu, &gpu, pinned));
    lockstep::check(cudaMemGetDefaultMemPool(&of_host, &host, pinned));
    lockstep::check(cudaDeviceGetDefaultMemPool(&usual, 0));
    // [/default]

    // [host]
    int* x = nullptr;
    lockstep::check(cudaMallocFromPoolAsync(&x, sizeof *x, of_host, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    *x = 42;
    const int found = *x;
    lockstep::check(cudaFreeAsync(x, stream));
    // [/host]

    // [current]
    cudaMemPoolProps props{};
    props.allocType = pinned;
    props.location = host;
    cudaMemPool_t ours = nullptr;
    cudaMemPool_t current = nullptr;
    lockstep::check(cudaMemPoolCreate(&ours, &props));
    lockstep::check(cudaMemSetMemPool(&host, pinned, ours));
    lockstep::check(cudaMemGetMemPool(&current, &host, pinned));
    // [/current]
    lockstep::report("device: the default pool", of_gpu == usual);
    lockstep::report("host: a pool of its own", of_host != usual);
    lockstep::report("the CPU wrote and read", found);
    lockstep::report("host: set pool is current", current == ours);
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::check(cudaMemPoolDestroy(ours));
    return of_gpu == usual && of_host != usual && found == 42 && current == ours
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
