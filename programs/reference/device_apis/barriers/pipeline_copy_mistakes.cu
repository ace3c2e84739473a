// What happens if the arguments of __pipeline_memcpy_async() break its rules? A size
// other than 4, 8 or 16, or too large a `zfill`, ends the kernel with a trap, and an
// address that is no multiple of the size is a misaligned access. Compiled with
// nvcc -G, the header asserts each rule, and the message names the one that is broken.

#include <cstdlib>

#include <cuda_pipeline.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Copies into shared memory; one thread.
/// @param from    32 bytes in device memory
/// @param size    bytes to copy
/// @param offset  added to both addresses, in bytes
/// @param zfill   bytes at the end that become zeros
__global__ void copy_once(const unsigned char* from, int size, int offset, int zfill) {
    __shared__ alignas(16) unsigned char words[32];
    __pipeline_memcpy_async(words + offset, from + offset, size, zfill);
    __pipeline_commit();
    __pipeline_wait_prior(0);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int mistake = options.choice("mistake", {"none", "size", "zfill", "address"});
    options.finish();
    lockstep::require_device(80);

    // [mistakes]
    const struct {
        int size, offset, zfill;
        cudaError_t expected;
    } calls[] = {{8, 0, 0, cudaSuccess},
                 {3, 0, 0, cudaErrorLaunchFailure},
                 {8, 0, 9, cudaErrorLaunchFailure},
                 {8, 4, 0, cudaErrorMisalignedAddress}};
    // [/mistakes]
    const auto call = calls[mistake];
    lockstep::device_buffer<unsigned char> from(32);
    from.fill_bytes(0);
    copy_once<<<1, 1>>>(from.data(), call.size, call.offset, call.zfill);
    lockstep::check(cudaGetLastError());
    const cudaError_t found = cudaDeviceSynchronize();
    lockstep::report("size", call.size, "bytes");
    lockstep::report("address, modulo 16", call.offset);
    lockstep::report("zfill", call.zfill, "bytes");
    lockstep::report("error", cudaGetErrorName(found));
    const bool asserted = mistake != 0 && found == cudaErrorAssert;  // with -G
    return found == call.expected || asserted ? EXIT_SUCCESS : EXIT_FAILURE;
}
