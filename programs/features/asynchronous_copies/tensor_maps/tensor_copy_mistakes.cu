// Which mistakes show only when the tile is copied? A map that the encoder accepted can
// still be used wrongly in a kernel. Each case runs in a child process, since some of
// them end in a fault, after which a process can use the GPU no longer.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda.h>
#include <cuda/ptx>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/process.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/tensor_map.hpp>

namespace ptx = cuda::ptx;

constexpr int columns = 32, rows = 4, size = columns * rows;

/// Copies one tile and waits for it, at most about 0.1 s.
/// @param map     describes an array of size ints
/// @param column  of the corner
/// @param offset  of the tile in shared memory, in bytes
/// @param bytes   that the barrier expects
/// @param out     size ints in device memory, written if the tile came
__device__ void copy_tile(const CUtensorMap* map, int column, int offset, int bytes,
                          int* out) {
    __shared__ alignas(128) char room[size * sizeof(int) + 128];
    __shared__ std::uint64_t arrived;
    __shared__ bool came;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&arrived, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &arrived, bytes);
        const std::int32_t corner[] = {column, 0};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, room + offset,
                                  map, corner, &arrived);
        const long long begin = clock64();
        came = false;
        while (!came && clock64() - begin < 200'000'000)
            came = ptx::mbarrier_try_wait_parity(&arrived, 0);
    }
    __syncthreads();
    const int* tile = reinterpret_cast<const int*>(room + offset);
    if (came) out[threadIdx.x] = tile[threadIdx.x];
}

// [kernels]
/// The map is a parameter that the compiler may not copy.
/// @param map, column, offset, bytes, out  of copy_tile
__global__ void with_constant(const __grid_constant__ CUtensorMap map, int column,
                              int offset, int bytes, int* out) {
    copy_tile(&map, column, offset, bytes, out);
}

/// The same without __grid_constant__: the address of the parameter is that of a copy.
/// @param map, column, offset, bytes, out  of copy_tile
__global__ void without_constant(CUtensorMap map, int column, int offset, int bytes,
                                 int* out) {
    copy_tile(&map, column, offset, bytes, out);
}
// [/kernels]

/// One case: its words, and what the kernel is given.
struct mistake {
    const char* what;
    bool constant;  // the map is __grid_constant__
    int offset;  // of the tile, in bytes
    int bytes;  // that the barrier expects
    bool zeros;  // the map is all zero
    int column;  // of the corner
};

// [cases]
constexpr int whole = size * sizeof(int);
constexpr mistake cases[] = {
    {"none", true, 0, whole, false, 0},
    {"map not __grid_constant__", false, 0, whole, false, 0},
    {"map of zeros", true, 0, whole, true, 0},
    {"tile off by 64 bytes", true, 64, whole, false, 0},
    {"tile off by 8 bytes", true, 8, whole, false, 0},
    {"corner at column 1", true, 0, whole, false, 1},
    {"corner at column -1", true, 0, whole, false, -1},
    {"16 bytes too many expected", true, 0, whole + 16, false, 0},
};
// [/cases]

/// Runs one case and prints how it ended.
/// @return whether the tile came and was right
bool run(const mistake& c) {
    std::vector<int> x(size);
    for (int i = 0; i < size; ++i) x[i] = i + 1;
    lockstep::device_buffer<int> d_x(x), d_out(size);
    d_out.fill_bytes(0xFF);
    const cuuint64_t sizes[] = {columns, rows};
    const cuuint32_t box[] = {columns, rows};
    CUtensorMap map = lockstep::describe_tiles(d_x.data(), sizes, box);
    if (c.zeros) map = {};
    if (c.constant)
        with_constant<<<1, size>>>(map, c.column, c.offset, c.bytes, d_out.data());
    else
        without_constant<<<1, size>>>(map, c.column, c.offset, c.bytes, d_out.data());
    cudaError_t ended = cudaGetLastError();
    if (ended == cudaSuccess) ended = cudaDeviceSynchronize();
    if (ended != cudaSuccess) {
        std::printf("%s", cudaGetErrorName(ended));
        return false;
    }
    const std::vector<int> found = d_out.to_host();
    const bool right = found == x;
    std::printf("%s", right            ? "right"
                      : found[0] == -1 ? "barrier never completed"
                                       : "wrong elements");
    return right;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int last = sizeof cases / sizeof *cases - 1;
    const int child = options.integer("case", -1, -1, last);
    options.finish();
    lockstep::require_device(90);
    if (child >= 0) {
        run(cases[child]);
        return EXIT_SUCCESS;
    }
    bool right = true;
    for (int i = 0; i <= last; ++i) {
        const std::string said =
            lockstep::output_of(argv[0], "--case " + std::to_string(i));
        lockstep::report(cases[i].what, said.c_str());
        if (i == 0) right = said == "right";
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
