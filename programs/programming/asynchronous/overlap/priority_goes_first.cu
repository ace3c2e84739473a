// What does a stream's priority do? When a block ends and frees its slot on an SM, the
// blocks of the stream with the higher priority get it first. Blocks that already run
// are not interrupted, so an urgent kernel still waits for the first of them to end,
// and gains nothing over a kernel whose blocks all run already.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// When the blocks of a kernel ran, in nanoseconds of the GPU's clock.
struct span {
    unsigned long long first_begin;  ///< when its first block began
    unsigned long long first_end;    ///< when the first of its blocks was done
    unsigned long long last_end;     ///< when the last of its blocks was done
};

// [occupy]
/// Occupies its slot on an SM for about half a millisecond.
/// @param when  one span in device memory
__device__ void occupy(span* when) {
    if (threadIdx.x == 0) {
        atomicMin(&when->first_begin, lockstep::now_ns());
        const long long start = clock64();
        while (clock64() - start < 1'000'000) {
        }
        atomicMin(&when->first_end, lockstep::now_ns());
        atomicMax(&when->last_end, lockstep::now_ns());
    }
    __syncthreads();
}
// [/occupy]

/// @param when  one span in device memory
__global__ void background(span* when) { occupy(when); }
/// @param when  one span in device memory
__global__ void patient(span* when) { occupy(when); }
/// @param when  one span in device memory
__global__ void urgent(span* when) { occupy(when); }

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int waves = options.integer("waves", 8, 1, 64);
    const bool equal = options.choice("priorities", {"different", "equal"}) == 1;
    options.finish();
    lockstep::require_device();

    // [range]
    int least = 0;
    int greatest = 0;
    lockstep::check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t low = nullptr;
    cudaStream_t also_low = nullptr;
    cudaStream_t high = nullptr;
    lockstep::check(cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, least));
    lockstep::check(
        cudaStreamCreateWithPriority(&also_low, cudaStreamNonBlocking, least));
    lockstep::check(cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking,
                                                 equal ? least : greatest));
    // [/range]

    const int beyond = greatest - 100;
    cudaStream_t asked_beyond = nullptr;
    lockstep::check(
        cudaStreamCreateWithPriority(&asked_beyond, cudaStreamNonBlocking, beyond));
    int given = 0;
    lockstep::check(cudaStreamGetPriority(asked_beyond, &given));

    constexpr int block = 1024;
    int sms = 0;
    int blocks_per_sm = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_per_sm, background, block, 0));
    const int slots = sms * blocks_per_sm;  // blocks that run at the same time
    span* spans = nullptr;
    lockstep::check(cudaMallocManaged(&spans, 3 * sizeof(span)));
    for (int i = 0; i < 3; ++i) spans[i] = {~0ull, ~0ull, 0};
    lockstep::load_kernels(background, patient, urgent);

    cudaEvent_t begun = nullptr;
    lockstep::check(cudaEventCreateWithFlags(&begun, cudaEventDisableTiming));
    // [launches]
    lockstep::check(cudaEventRecord(begun, low));
    background<<<waves * slots, block, 0, low>>>(&spans[0]);
    lockstep::check(cudaEventSynchronize(begun));  // background goes first
    patient<<<16, block, 0, also_low>>>(&spans[1]);
    urgent<<<16, block, 0, high>>>(&spans[2]);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    // [/launches]

    const span back = spans[0];
    const bool urgent_waited = spans[2].first_begin >= back.first_end;
    const bool urgent_first = spans[2].last_end < back.last_end;
    const bool patient_first = spans[1].last_end < back.last_end;
    lockstep::report("least priority", least);
    lockstep::report("greatest priority", greatest);
    lockstep::report("priority asked, beyond it", beyond);
    lockstep::report("priority given instead", given);
    lockstep::report("waves of background blocks", waves);
    lockstep::report("urgent waited for a slot", urgent_waited);
    lockstep::report("urgent kernel ended first", urgent_first);
    lockstep::report("patient kernel ended first", patient_first);
    lockstep::check(cudaEventDestroy(begun));
    for (cudaStream_t stream : {low, also_low, high, asked_beyond})
        lockstep::check(cudaStreamDestroy(stream));
    lockstep::check(cudaFree(spans));
    const bool expected = !equal && waves > 1;
    return urgent_first == expected && urgent_waited && given == greatest
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
