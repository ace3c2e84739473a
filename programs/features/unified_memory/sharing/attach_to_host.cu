// May the CPU touch managed memory at any time, even where concurrent access is 0? Yes,
// if the memory is attached to the host: then no kernel may use it. Here one variable
// is the kernel's, and another one, attached to the host, the CPU's. The flags must
// name an attachment.

#include <cstdlib>

#include <lockstep/device.hpp>
#include <lockstep/report.hpp>
#include <lockstep/stream.hpp>

/// Writes one value.
/// @param word  one int in managed memory
__global__ void write_ten(int* word) { *word = 10; }

int main() {
    lockstep::require_device();
    int *for_gpu = nullptr, *for_cpu = nullptr;
    lockstep::check(cudaMallocManaged(&for_gpu, sizeof(int)));
    lockstep::check(cudaMallocManaged(&for_cpu, sizeof(int)));
    const lockstep::stream stream;
    // [host]
    const cudaError_t attached =
        cudaStreamAttachMemAsync(stream, for_cpu, 0, cudaMemAttachHost);
    lockstep::check(cudaStreamSynchronize(stream));  // attached only now
    write_ten<<<1, 1, 0, stream>>>(for_gpu);
    lockstep::check(cudaGetLastError());
    *for_cpu = 20;  // legal everywhere: no kernel may use it
    lockstep::check(cudaStreamSynchronize(stream));
    // [/host]
    lockstep::report("attach to the host", cudaGetErrorName(attached));
    lockstep::report("the kernel's", *for_gpu);
    lockstep::report("the CPU's", *for_cpu);
    // [flags]
    const cudaError_t no_flag = cudaStreamAttachMemAsync(stream, for_cpu, 0, 0);
    // [/flags]
    lockstep::report("attach with flags of 0", cudaGetErrorName(no_flag));
    const bool right = *for_gpu == 10 && *for_cpu == 20;
    lockstep::check(cudaFree(for_gpu));
    lockstep::check(cudaFree(for_cpu));
    return attached == cudaSuccess && right ? EXIT_SUCCESS : EXIT_FAILURE;
}
