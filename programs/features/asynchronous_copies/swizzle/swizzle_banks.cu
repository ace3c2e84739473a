// Where does each 16-byte chunk of a tile lie in shared memory, and in which banks, for
// each swizzle mode? Every chunk holds its own row and column, so after the copy shared
// memory tells. The program compares that with a formula, and counts the wavefronts in
// which 8 lanes read a column of chunks.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/await_phase.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int chunk = 4;  // ints: 16 bytes, 4 banks
constexpr int line_chunks = 8;  // 128 bytes of shared memory: all 32 banks
constexpr int lines = 8;  // after which every pattern repeats
constexpr int chunks = line_chunks * lines;
constexpr int size = chunks * chunk;

// [formula]
/// Where a chunk lies that would lie at `place` without a swizzle.
/// @param place  in chunks, from an address that is a multiple of 1024 bytes
/// @param span   of the mode in chunks: 8, 4 or 2; 1 without a swizzle
int swizzled(int place, int span) {
    const int line = place / line_chunks;  // of 8 chunks
    // the pattern repeats sooner in modes with a shorter span
    return place ^ (line % span);
}
// [/formula]

// [kernel]
/// Copies a tile into shared memory, and shared memory to `out` as it lies there.
/// @param tiles  describes the array
/// @param out    `size` ints in device memory, written; as many threads
__global__ void dump_tile(const __grid_constant__ CUtensorMap tiles, int* out) {
    __shared__ alignas(1024) int tile[size];
    __shared__ std::uint64_t arrived;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, sizeof tile);
        const std::int32_t corner[] = {0, 0};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &tiles,
                                  corner, &arrived);
    }
    __syncthreads();
    lockstep::await_phase(&arrived, 0);
    out[threadIdx.x] = tile[threadIdx.x];
}
// [/kernel]

struct mode {
    const char* name;
    CUtensorMapSwizzle value;
    int row;  // chunks in a row of the tile
    int span;  // chunks that are permuted together
};

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(90);

    // [modes]
    constexpr mode modes[] = {
        {"none", CU_TENSOR_MAP_SWIZZLE_NONE, 8, 1},
        {"none (rows of 64)", CU_TENSOR_MAP_SWIZZLE_NONE, 4, 1},
        {"none (rows of 32)", CU_TENSOR_MAP_SWIZZLE_NONE, 2, 1},
        {"32B", CU_TENSOR_MAP_SWIZZLE_32B, 2, 2},
        {"64B", CU_TENSOR_MAP_SWIZZLE_64B, 4, 4},
        {"128B", CU_TENSOR_MAP_SWIZZLE_128B, 8, 8},
    };
    // [/modes]
    lockstep::csv_file series(csv, "mode,line,banks,row,column");
    lockstep::device_buffer<int> d_out(size);
    bool right = true;
    std::printf("mode              rows  bytes a row  as the formula  wavefronts\n");
    for (const mode& m : modes) {
        const int rows = chunks / m.row;
        std::vector<int> x(size);
        for (int i = 0; i < size; ++i) x[i] = i;  // row by row
        lockstep::device_buffer<int> d_x(x);
        const cuuint64_t sizes[] = {cuuint64_t(m.row * chunk), cuuint64_t(rows)};
        const cuuint32_t box[] = {cuuint32_t(m.row * chunk), cuuint32_t(rows)};
        d_out.fill_bytes(0xFF);
        dump_tile<<<1, size>>>(
            lockstep::describe_tiles(d_x.data(), sizes, box, m.value), d_out.data());
        lockstep::check(cudaGetLastError());

        const std::vector<int> shared = d_out.to_host();
        std::vector<int> place_of(chunks, -1);  // of each chunk, row by row
        bool whole = true, as_formula = true;
        for (int place = 0; place < chunks; ++place) {
            const int found = shared[place * chunk] / chunk;
            for (int i = 0; i < chunk; ++i)  // chunks stay whole
                whole = whole && shared[place * chunk + i] == found * chunk + i;
            if (found < 0 || found >= chunks) return EXIT_FAILURE;
            place_of[found] = place;
            series.row("%s,%d,%d,%d,%d", m.name, place / line_chunks,
                       place % line_chunks, found / m.row, found % m.row);
        }
        for (int i = 0; i < chunks; ++i)
            as_formula = as_formula && place_of[i] == swizzled(i, m.span);
        // [wavefronts]
        int most = 0;  // chunks of a column in the same four banks, over 8 rows
        for (int column = 0; column < m.row; ++column) {
            for (int first = 0; first < rows; first += 8) {
                int in_banks[line_chunks] = {};
                for (int row = first; row < first + 8; ++row) {
                    const int place = place_of[row * m.row + column];
                    most = std::max(most, ++in_banks[place % line_chunks]);
                }
            }
        }
        // [/wavefronts]
        std::printf("%-18s%4d%13d  %-14s%12d\n", m.name, rows, m.row * 16,
                    as_formula ? "yes" : "no", most);
        right = right && whole && as_formula;
    }
    series.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
