// An instruction without a name in C++: it clamps two ints to 0..255 and packs them
// into bytes. Inline PTX names its operands after colons. The same in C++ compiles to
// more instructions. Is it slower? That depends on what else the kernel does.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

// [assembly]
/// Clamps two ints to bytes: `low` to bits 0 to 7, `high` to bits 8 to 15, and the low
/// half of `rest` to the bits above.
__device__ unsigned clamp_two(int high, int low, unsigned rest) {
    unsigned result = 0;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;"
        : "=r"(result)
        : "r"(high), "r"(low), "r"(rest));
    return result;
}

/// Packs four ints, each clamped to 0..255, into one word.
__device__ unsigned pack_in_ptx(int4 v) {
    return clamp_two(v.y, v.x, clamp_two(v.w, v.z, 0));
}
// [/assembly]

// [cpp]
/// An int clamped to 0..255.
__host__ __device__ unsigned clamped(int x) { return x < 0 ? 0 : x > 255 ? 255 : x; }

/// Packs four ints, each clamped to 0..255, into one word.
__host__ __device__ unsigned pack_in_cpp(int4 v) {
    return clamped(v.x) | clamped(v.y) << 8 | clamped(v.z) << 16 | clamped(v.w) << 24;
}
// [/cpp]

/// Packs each int4 `rounds` times, with the round added to it, by inline PTX.
/// @param n       number of elements
/// @param rounds  number of times
/// @param in      n int4 in device memory
/// @param out     n words in device memory, written: exclusive or of what was packed
__global__ void pack_all_ptx(int n, int rounds, const int4* in, unsigned* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int4 v = in[i];
    unsigned word = 0;
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        word ^= pack_in_ptx(v);
        v = int4{v.x + 1, v.y + 1, v.z + 1, v.w + 1};
    }
    out[i] = word;
}

/// The same in C++.
/// @param n       number of elements
/// @param rounds  number of times
/// @param in      n int4 in device memory
/// @param out     n words in device memory, written: exclusive or of what was packed
__global__ void pack_all_cpp(int n, int rounds, const int4* in, unsigned* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int4 v = in[i];
    unsigned word = 0;
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        word ^= pack_in_cpp(v);
        v = int4{v.x + 1, v.y + 1, v.z + 1, v.w + 1};
    }
    out[i] = word;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 1 << 22, 1, 1 << 24);
    options.finish();
    lockstep::require_device();

    std::vector<int4> in(n);
    std::vector<unsigned> expected(n);
    const auto number = [](int i, int k) {  // from -256 to 511
        return static_cast<int>(lockstep::random_word(i, k) % 768) - 256;
    };
    for (int i = 0; i < n; ++i) {
        in[i] = int4{number(i, 1), number(i, 2), number(i, 3), number(i, 4)};
        expected[i] = pack_in_cpp(in[i]);
    }
    const lockstep::device_buffer<int4> d_in(in);
    lockstep::device_buffer<unsigned> d_ptx(n);
    lockstep::device_buffer<unsigned> d_cpp(n);
    std::size_t wrong = 0;
    const auto compare = [&](int rounds, const char* by_ptx, const char* by_cpp) {
        d_ptx.fill_bytes(0xFF);
        d_cpp.fill_bytes(0xFF);
        const auto times = lockstep::time_in_turns(2, [&](std::size_t which) {
            if (which == 0)
                pack_all_ptx<<<(n + 255) / 256, 256>>>(n, rounds, d_in.data(),
                                                       d_ptx.data());
            else
                pack_all_cpp<<<(n + 255) / 256, 256>>>(n, rounds, d_in.data(),
                                                       d_cpp.data());
        });
        const auto found = d_ptx.to_host();
        wrong += lockstep::count_mismatches(found, d_cpp.to_host());
        if (rounds == 1) wrong += lockstep::count_mismatches(found, expected);
        lockstep::report(by_ptx, lockstep::measured{1e3 * times[0].median_ms}, "us");
        lockstep::report(by_cpp, lockstep::measured{1e3 * times[1].median_ms}, "us");
    };
    compare(1, "packed once, PTX", "packed once, C++");
    compare(256, "packed 256 times, PTX", "packed 256 times, C++");
    lockstep::report("wrong words", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
