// How does a kernel write a CUDA array? Through a surface object. The program turns the
// test picture by a quarter: each thread reads a texel of one array and writes it to
// another. Along x, surfaces count bytes.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/pixmap.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/test_picture.hpp>

constexpr int side = 256;  // of the picture, in texels
constexpr dim3 block_size(32, 8);

// [kernel]
/// Turns a picture by a quarter, clockwise; a thread for each texel.
/// @param from  surface of the picture, side rows of side texels
/// @param to    surface of the result, of the same size
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side) return;
    constexpr int bytes = sizeof(uchar4);
    const uchar4 texel = surf2Dread<uchar4>(from, x * bytes, y);
    surf2Dwrite(texel, to, (side - 1 - y) * bytes, x);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool pictures = options.flag("pictures");
    options.finish();
    lockstep::require_device();

    const std::vector<uchar4> texels = lockstep::test_picture(side);
    constexpr std::size_t row_bytes = side * sizeof(uchar4);
    // [arrays]
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t from_array = nullptr, to_array = nullptr;
    for (cudaArray_t* array : {&from_array, &to_array})
        lockstep::check(
            cudaMallocArray(array, &format, side, side, cudaArraySurfaceLoadStore));
    lockstep::check(cudaMemcpy2DToArray(from_array, 0, 0, texels.data(), row_bytes,
                                        row_bytes, side, cudaMemcpyHostToDevice));
    // [/arrays]
    // [surfaces]
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;  // the only kind that surfaces have
    resource.res.array.array = from_array;
    cudaSurfaceObject_t from = 0;
    lockstep::check(cudaCreateSurfaceObject(&from, &resource));
    resource.res.array.array = to_array;
    cudaSurfaceObject_t to = 0;
    lockstep::check(cudaCreateSurfaceObject(&to, &resource));
    // [/surfaces]
    turn<<<dim3(side / block_size.x, side / block_size.y), block_size>>>(from, to);
    lockstep::check(cudaGetLastError());
    // [back]
    std::vector<uchar4> turned(texels.size());
    lockstep::check(cudaMemcpy2DFromArray(turned.data(), row_bytes, to_array, 0, 0,
                                          row_bytes, side, cudaMemcpyDeviceToHost));
    lockstep::check(cudaDestroySurfaceObject(from));
    lockstep::check(cudaDestroySurfaceObject(to));
    lockstep::check(cudaFreeArray(from_array));
    lockstep::check(cudaFreeArray(to_array));
    // [/back]

    int wrong = 0;
    std::vector<unsigned char> rgb;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const uchar4 found = turned[y * side + x];
            const uchar4 expected = texels[(side - 1 - x) * side + y];
            wrong += found.x != expected.x || found.y != expected.y ||
                     found.z != expected.z || found.w != expected.w;
            rgb.insert(rgb.end(), {found.x, found.y, found.z});
        }
    }
    if (pictures) lockstep::write_pixmap("turned.ppm", side, side, rgb);
    lockstep::report("texels", turned.size());
    lockstep::report("wrong texels", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
