// How does a mipmapped array get its levels? A copy fills level 0 with the test
// picture. Each further level is made from the one before it by a kernel, which reads
// and writes the levels through surface objects: every texel is the mean of four.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/pixmap.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/test_picture.hpp>

constexpr int largest = 256;  // texels of a side of level 0, a power of two
constexpr int levels = 9;  // 256, 128, ... 1

/// The mean of four numbers, rounded.
__host__ __device__ unsigned char mean(int a, int b, int c, int d) {
    return static_cast<unsigned char>((a + b + c + d + 2) / 4);
}

// [kernel]
/// The mean of four texels.
__host__ __device__ uchar4 mean(uchar4 a, uchar4 b, uchar4 c, uchar4 d) {
    return {mean(a.x, b.x, c.x, d.x), mean(a.y, b.y, c.y, d.y),
            mean(a.z, b.z, c.z, d.z), mean(a.w, b.w, c.w, d.w)};
}

/// Makes a level from the one before it; a thread for each texel.
/// @param side  texels of a side of the new level
/// @param from  surface of the level with 2 * side texels in a row
/// @param to    surface of the new level
__global__ void halve(int side, cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side) return;
    constexpr int bytes = sizeof(uchar4);  // surfaces count x in bytes
    const uchar4 a = surf2Dread<uchar4>(from, 2 * x * bytes, 2 * y);
    const uchar4 b = surf2Dread<uchar4>(from, (2 * x + 1) * bytes, 2 * y);
    const uchar4 c = surf2Dread<uchar4>(from, 2 * x * bytes, 2 * y + 1);
    const uchar4 d = surf2Dread<uchar4>(from, (2 * x + 1) * bytes, 2 * y + 1);
    surf2Dwrite(mean(a, b, c, d), to, x * bytes, y);
}
// [/kernel]

/// The array of a level.
cudaArray_t level_of(cudaMipmappedArray_t pyramid, int level) {
    cudaArray_t array = nullptr;
    lockstep::check(cudaGetMipmappedArrayLevel(&array, pyramid, level));
    return array;
}

/// Makes a surface object of a level.
cudaSurfaceObject_t surface_of(cudaMipmappedArray_t pyramid, int level) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = level_of(pyramid, level);
    cudaSurfaceObject_t surface = 0;
    lockstep::check(cudaCreateSurfaceObject(&surface, &resource));
    return surface;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool pictures = options.flag("pictures");
    options.finish();
    lockstep::require_device();

    std::vector<uchar4> expected = lockstep::test_picture(largest);
    // [array]
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaMipmappedArray_t pyramid = nullptr;
    lockstep::check(cudaMallocMipmappedArray(&pyramid, &format,
                                             make_cudaExtent(largest, largest, 0),
                                             levels, cudaArraySurfaceLoadStore));

    constexpr std::size_t row_bytes = largest * sizeof(uchar4);
    lockstep::check(cudaMemcpy2DToArray(level_of(pyramid, 0), 0, 0, expected.data(),
                                        row_bytes, row_bytes, largest,
                                        cudaMemcpyHostToDevice));
    // [/array]
    // [levels]
    const dim3 block(16, 16);
    for (int level = 1; level < levels; ++level) {
        const int side = largest >> level;
        const dim3 grid((side + block.x - 1) / block.x, (side + block.y - 1) / block.y);
        const cudaSurfaceObject_t from = surface_of(pyramid, level - 1);
        const cudaSurfaceObject_t to = surface_of(pyramid, level);
        halve<<<grid, block>>>(side, from, to);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaStreamSynchronize(nullptr));  // the objects are in use
        lockstep::check(cudaDestroySurfaceObject(from));
        lockstep::check(cudaDestroySurfaceObject(to));
    }
    // [/levels]

    // the picture: level 0 on the left, the others one below the other on its right
    constexpr int width = largest + largest / 2;
    std::vector<unsigned char> rgb(3 * width * largest, 255);
    int wrong = 0, texels = 0;
    for (int level = 0, top = 0; level < levels; ++level) {
        const int side = largest >> level;
        if (level > 0) {  // the host halves what it has
            std::vector<uchar4> halved;
            for (int y = 0; y < side; ++y)
                for (int x = 0; x < side; ++x) {
                    const uchar4* at = expected.data() + (4 * y * side + 2 * x);
                    halved.push_back(
                        mean(at[0], at[1], at[2 * side], at[2 * side + 1]));
                }
            expected = halved;
        }
        std::vector<uchar4> found(side * side);
        lockstep::check(cudaMemcpy2DFromArray(
            found.data(), side * sizeof(uchar4), level_of(pyramid, level), 0, 0,
            side * sizeof(uchar4), side, cudaMemcpyDeviceToHost));
        const int left = level == 0 ? 0 : largest;
        for (int i = 0; i < side * side; ++i) {
            const uchar4 have = found[i], want = expected[i];
            wrong += have.x != want.x || have.y != want.y || have.z != want.z ||
                     have.w != want.w;
            unsigned char* pixel =
                rgb.data() + 3 * ((top + i / side) * width + left + i % side);
            pixel[0] = have.x;
            pixel[1] = have.y;
            pixel[2] = have.z;
        }
        texels += side * side;
        if (level > 0) top += side;
    }
    if (pictures) lockstep::write_pixmap("levels.ppm", width, largest, rgb);
    lockstep::report("levels", levels);
    lockstep::report("texels of level 0", largest * largest);
    lockstep::report("texels of all levels", texels);
    lockstep::report("wrong texels", wrong);
    lockstep::check(cudaFreeMipmappedArray(pyramid));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
