// Which of atomicAdd and its relatives take 16-bit numbers, vectors of floats or 16
// bytes? Threads add whole numbers to each component, or exchange a value of 16 bytes
// whose halves must stay equal. The sums are exact, and no half of a 16-byte value is
// ever seen without the other.

#include <cstdlib>
#include <vector>  // unused; goes with the next recording

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Two words that belong together; 16 bytes, aligned to 16, trivially copyable.
struct alignas(16) twins {
    unsigned long long first;  ///< any number
    unsigned long long second;  ///< the same number
};

/// What the threads change together.
struct words {
    __half half;  ///< counts 128 threads
    __half2 half2;  ///< counts 128 threads
    __nv_bfloat16 bf16;  ///< counts 128 threads
    __nv_bfloat162 bf162;  ///< counts 128 threads
    float2 pair;  ///< counts all threads
    alignas(16) float4 four;  ///< counts all threads
    twins exchanged;  ///< was written by one thread
    twins compared;  ///< counts all threads
    int torn;  ///< values of 16 bytes with different halves
};

/// Each thread adds to everything once.
/// @param shared_words  device memory, all zero
__global__ void add_ones(words* shared_words) {
    words& w = *shared_words;
    const unsigned long long id = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (id <= 128) {  // whole numbers up to 256 are exact in all 16-bit formats
        // [sixteen-bit]
        atomicAdd(&w.half, __float2half(1.0f));
        atomicAdd(&w.half2, __floats2half2_rn(1.0f, 2.0f));
        atomicAdd(&w.bf16, __float2bfloat16(1.0f));
        atomicAdd(&w.bf162, __floats2bfloat162_rn(1.0f, 2.0f));
        // [/sixteen-bit]
    }
    // [float-vectors]
    // each component is an addition of its own
    atomicAdd(&w.pair, make_float2(1.0f, 2.0f));
    atomicAdd(&w.four, make_float4(1.0f, 2.0f, 3.0f, 4.0f));
    // [/float-vectors]

    // [sixteen-bytes]
    const twins before = atomicExch(&w.exchanged, twins{id, id});
    if (before.first != before.second) atomicAdd(&w.torn, 1);

    twins expected{0, 0}, found;
    while (true) {
        found = atomicCAS(&w.compared, expected,
                          twins{expected.first + 1, expected.second + 1});
        if (found.first == expected.first && found.second == expected.second) break;
        if (found.first != found.second) atomicAdd(&w.torn, 1);
        expected = found;
    }
    // [/sixteen-bytes]
}

int main() {
    lockstep::require_device(90);

    lockstep::device_buffer<words> d_words(1);
    d_words.fill_bytes(0);
    add_ones<<<32, 256>>>(d_words.data());
    lockstep::check(cudaGetLastError());
    const words w = d_words.to_host()[0];

    lockstep::report("half, 128 additions", __half2float(w.half));
    lockstep::report("half2, second half", __high2float(w.half2));
    lockstep::report("bfloat16, 128 additions", __bfloat162float(w.bf16));
    lockstep::report("bfloat162, second half", __high2float(w.bf162));
    lockstep::report("float2, y", w.pair.y);
    lockstep::report("float4, w", w.four.w);
    lockstep::report("16 bytes, counted by CAS", w.compared.first);
    lockstep::report("16 bytes, torn values", w.torn);
    const bool halves = __half2float(w.half) == 128 && __low2float(w.half2) == 128 &&
                        __high2float(w.half2) == 256 &&
                        __bfloat162float(w.bf16) == 128 &&
                        __low2float(w.bf162) == 128 && __high2float(w.bf162) == 256;
    const bool floats = w.pair.x == 8192 && w.pair.y == 16384 && w.four.x == 8192 &&
                        w.four.y == 16384 && w.four.z == 24576 && w.four.w == 32768;
    const bool wide = w.compared.first == 8192 && w.compared.second == 8192 &&
                      w.exchanged.first == w.exchanged.second &&
                      w.exchanged.first >= 1 && w.torn == 0;
    return halves && floats && wide ? EXIT_SUCCESS : EXIT_FAILURE;
}
