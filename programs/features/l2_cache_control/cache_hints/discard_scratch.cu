// A block writes scratch data to global memory, reads it, and needs it no more. Must it
// still go to device memory? L2 writes a changed line back when it needs the room.
// cuda::discard_memory says that the contents of a range no longer matter, so its
// lines may be dropped in place of written back. That saves nearly all writes, and here
// no time.

#include <cstddef>
#include <cstdlib>

#include <cuda/discard_memory>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 512;
constexpr int piece = 16384;  // words of scratch that a block uses at a time: 64 KiB
constexpr int line = 128;  // bytes

// [kernel]
/// Writes pieces of scratch and reads each one back.
/// @tparam discard  drop a piece after its use
/// @param pieces    number of pieces
/// @param scratch   pieces * piece words in device memory, aligned to 128 bytes
/// @param sums      one word for each block in device memory, zero at first
template <bool discard>
__global__ void use_scratch(int pieces, unsigned* scratch, unsigned* sums) {
    unsigned sum = 0;
    for (int i = blockIdx.x; i < pieces; i += gridDim.x) {
        unsigned* mine = scratch + std::size_t(i) * piece;
        for (int k = threadIdx.x; k < piece; k += block_size) mine[k] = k;
        __syncthreads();  // the piece is written
        for (int k = threadIdx.x; k < piece; k += block_size)
            sum += mine[piece - 1 - k];  // another thread's word
        __syncthreads();  // all threads have read
        if (discard)
            for (std::size_t at = threadIdx.x * line; at < piece * sizeof(unsigned);
                 at += block_size * line)
                cuda::discard_memory(reinterpret_cast<char*>(mine) + at, line);
    }
    atomicAdd(sums + blockIdx.x, sum);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int mib = options.integer("mib", 512, 1, 4096);
    const int blocks = options.integer("blocks", 264, 1, 4096);  // two an SM of an H200
    const bool once = options.flag("once");
    options.finish();
    lockstep::require_device(80);

    const int pieces =
        static_cast<int>((std::size_t(mib) << 20) / (piece * sizeof(unsigned)));
    lockstep::device_buffer<unsigned> d_scratch(std::size_t(pieces) * piece);
    lockstep::device_buffer<unsigned> d_sums(blocks);
    struct way {
        const char* name;
        void (*run)(int, unsigned*, unsigned*);
    };
    constexpr way ways[] = {{"scratch kept", use_scratch<false>},
                            {"scratch discarded", use_scratch<true>}};
    const auto launch = [&](std::size_t i) {
        ways[i].run<<<blocks, block_size>>>(pieces, d_scratch.data(), d_sums.data());
        lockstep::check(cudaGetLastError());
    };
    const unsigned expected = static_cast<unsigned>(pieces) *
                              (static_cast<unsigned>(piece) / 2 * (piece - 1));
    bool right = true;
    for (std::size_t i = 0; i < 2; ++i) {
        d_sums.fill_bytes(0);
        launch(i);
        unsigned sum = 0;
        for (const unsigned part : d_sums.to_host()) sum += part;
        const bool same = sum == expected;
        if (once) lockstep::report(ways[i].name, same ? "right" : "wrong");
        right = right && same;
    }
    if (once) return right ? EXIT_SUCCESS : EXIT_FAILURE;
    const auto times = lockstep::time_in_turns(2, launch);
    for (std::size_t i = 0; i < 2; ++i)
        lockstep::report(ways[i].name, lockstep::measured{times[i].median_ms * 1e3},
                         "us");
    lockstep::report("kept / discarded",
                     lockstep::measured{times[0].median_ms / times[1].median_ms});
    lockstep::report("sums", right ? "right" : "wrong");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
