// How does a picture get into a CUDA array? By a copy, from wherever it lies. Each
// quarter of a collage comes another way: from the host, from pitched device memory
// that a kernel wrote, from another array, and from the host by the call for three
// dimensions. Offsets and widths are in bytes, except in that last call, which counts
// texels.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/pixmap.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/test_picture.hpp>

// [kernel]
/// Turns a picture into its negative, in memory with padded rows.
/// @param texels  side rows in device memory, changed
/// @param pitch   bytes from one row to the next
/// @param side    texels of a row
__global__ void negate(uchar4* texels, std::size_t pitch, int side) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side) return;
    char* row = reinterpret_cast<char*>(texels) + y * pitch;  // the pitch is in bytes
    uchar4& texel = reinterpret_cast<uchar4*>(row)[x];
    texel.x = 255 - texel.x;
    texel.y = 255 - texel.y;
    texel.z = 255 - texel.z;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool pictures = options.flag("pictures");
    options.finish();
    lockstep::require_device();

    constexpr int side = 128;  // texels of a quarter's side
    constexpr std::size_t row_bytes = side * sizeof(uchar4);
    std::vector<uchar4> texels = lockstep::test_picture(side);

    // [allocate]
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t collage = nullptr, single = nullptr;
    lockstep::check(cudaMallocArray(&collage, &format, 2 * side, 2 * side));
    lockstep::check(cudaMallocArray(&single, &format, side, side));
    // [/allocate]

    // [from-host]
    lockstep::check(cudaMemcpy2DToArray(collage, 0, 0, texels.data(), row_bytes,
                                        row_bytes, side, cudaMemcpyHostToDevice));
    // [/from-host]

    // [from-pitched]
    uchar4* d_padded = nullptr;
    std::size_t pitch = 0;
    lockstep::check(cudaMallocPitch(&d_padded, &pitch, row_bytes, side));
    lockstep::check(cudaMemcpy2D(d_padded, pitch, texels.data(), row_bytes, row_bytes,
                                 side, cudaMemcpyHostToDevice));
    negate<<<dim3(side / 16, side / 16), dim3(16, 16)>>>(d_padded, pitch, side);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaMemcpy2DToArray(collage, row_bytes, 0, d_padded, pitch,
                                        row_bytes, side, cudaMemcpyDeviceToDevice));
    // [/from-pitched]

    // [from-array]
    lockstep::check(cudaMemcpy2DToArray(single, 0, 0, texels.data(), row_bytes,
                                        row_bytes, side, cudaMemcpyHostToDevice));
    lockstep::check(cudaMemcpy2DArrayToArray(collage, 0, side, single, 0, 0, row_bytes,
                                             side, cudaMemcpyDeviceToDevice));
    // [/from-array]

    // [three-dimensions]
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), row_bytes, side, side);
    copy.dstArray = collage;
    copy.dstPos = make_cudaPos(side, side, 0);  // in texels, since an array
    copy.extent = make_cudaExtent(side, side, 1);  // takes part in the copy
    copy.kind = cudaMemcpyHostToDevice;
    lockstep::check(cudaMemcpy3D(&copy));
    // [/three-dimensions]

    // [back]
    std::vector<uchar4> found(4 * texels.size(), uchar4{0x55, 0x55, 0x55, 0x55});
    lockstep::check(cudaMemcpy2DFromArray(found.data(), 2 * row_bytes, collage, 0, 0,
                                          2 * row_bytes, 2 * side,
                                          cudaMemcpyDeviceToHost));
    // [/back]
    // [info]
    cudaChannelFormatDesc stored{};
    cudaExtent extent{};
    unsigned flags = 0;
    lockstep::check(cudaArrayGetInfo(&stored, &extent, &flags, collage));
    // [/info]
    lockstep::check(cudaFree(d_padded));
    lockstep::check(cudaFreeArray(single));
    lockstep::check(cudaFreeArray(collage));

    int wrong[4] = {};
    for (int y = 0; y < 2 * side; ++y)
        for (int x = 0; x < 2 * side; ++x) {
            const int quarter = y / side * 2 + x / side;
            uchar4 wanted = texels[y % side * side + x % side];
            if (quarter == 1)
                wanted = {static_cast<unsigned char>(255 - wanted.x),
                          static_cast<unsigned char>(255 - wanted.y),
                          static_cast<unsigned char>(255 - wanted.z), wanted.w};
            const uchar4 texel = found[y * 2 * side + x];
            wrong[quarter] += texel.x != wanted.x || texel.y != wanted.y ||
                              texel.z != wanted.z || texel.w != wanted.w;
        }
    lockstep::report("wrong, from the host", wrong[0]);
    lockstep::report("wrong, from pitched memory", wrong[1]);
    lockstep::report("wrong, from an array", wrong[2]);
    lockstep::report("wrong, by cudaMemcpy3D", wrong[3]);
    lockstep::report("width of the array", extent.width, "texels");
    lockstep::report("height of the array", extent.height, "texels");
    lockstep::report("depth of the array", extent.depth);
    lockstep::report("bits of component x", stored.x);
    if (pictures) {
        std::vector<unsigned char> rgb;
        for (const uchar4& texel : found)
            rgb.insert(rgb.end(), {texel.x, texel.y, texel.z});
        lockstep::write_pixmap("collage.ppm", 2 * side, 2 * side, rgb);
    }
    const bool right = wrong[0] + wrong[1] + wrong[2] + wrong[3] == 0 &&
                       extent.width == 2 * side && extent.height == 2 * side &&
                       stored.x == 8;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
