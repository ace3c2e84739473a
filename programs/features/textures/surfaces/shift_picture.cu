// Shift a picture to the right and down: the texel that a thread writes comes from a
// place further left and further up. Where that place lies outside the picture, the
// result is to be 0 in all components. Complete the read; no branch is needed.

#include <cstddef>
#include <vector>

#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/test_picture.hpp>

constexpr int side = 128;  // of the picture, in texels
constexpr int right = 20, down = 45;  // by how many texels the picture is shifted
constexpr dim3 block_size(32, 8);

/// Shifts a picture; a thread for each texel of the result.
/// @param from  surface of the picture, side rows of side texels
/// @param to    surface of the result, of the same size
__global__ void shift(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    constexpr int bytes = sizeof(uchar4);
    // [task]
    const uchar4 texel =
        surf2Dread<uchar4>(from, (x - right) * bytes, y - down, cudaBoundaryModeZero);
    //= given
    //| const uchar4 texel = surf2Dread<uchar4>(from, x * bytes, y);
    //= mutant elements
    //| const uchar4 texel =
    //|     surf2Dread<uchar4>(from, x * bytes - right, y - down, cudaBoundaryModeZero);
    //= mutant other_direction
    //| const uchar4 texel = surf2Dread<uchar4>(from, (x + right) * bytes, y + down,
    //|                                         cudaBoundaryModeZero);
    //= mutant clamped
    //| const uchar4 texel = surf2Dread<uchar4>(from, (x - right) * bytes, y - down,
    //|                                         cudaBoundaryModeClamp);
    //= mutant trapped
    //| const uchar4 texel = surf2Dread<uchar4>(from, (x - right) * bytes, y - down);
    // [/task]
    surf2Dwrite(texel, to, x * bytes, y);
}

int main() {
    lockstep::require_device();

    const std::vector<uchar4> texels = lockstep::test_picture(side);
    constexpr std::size_t row_bytes = side * sizeof(uchar4);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t arrays[2] = {};
    cudaSurfaceObject_t surfaces[2] = {};
    for (const int i : {0, 1}) {
        lockstep::check(cudaMallocArray(&arrays[i], &format, side, side,
                                        cudaArraySurfaceLoadStore));
        lockstep::check(cudaMemcpy2DToArray(arrays[i], 0, 0, texels.data(), row_bytes,
                                            row_bytes, side, cudaMemcpyHostToDevice));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = arrays[i];
        lockstep::check(cudaCreateSurfaceObject(&surfaces[i], &resource));
    }
    shift<<<dim3(side / block_size.x, side / block_size.y), block_size>>>(surfaces[0],
                                                                          surfaces[1]);
    lockstep::check(cudaGetLastError());
    std::vector<uchar4> shifted(texels.size());
    lockstep::check(cudaMemcpy2DFromArray(shifted.data(), row_bytes, arrays[1], 0, 0,
                                          row_bytes, side, cudaMemcpyDeviceToHost));
    for (const int i : {0, 1}) {
        lockstep::check(cudaDestroySurfaceObject(surfaces[i]));
        lockstep::check(cudaFreeArray(arrays[i]));
    }

    std::vector<int> found[2], expected[2];  // outside and inside the shifted picture
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const bool inside = x >= right && y >= down;
            const uchar4 have = shifted[y * side + x];
            const uchar4 want =
                inside ? texels[(y - down) * side + x - right] : uchar4{0, 0, 0, 0};
            for (const int component : {have.x, have.y, have.z, have.w})
                found[inside].push_back(component);
            for (const int component : {want.x, want.y, want.z, want.w})
                expected[inside].push_back(component);
        }
    }
    lockstep::exercise_verdict verdict;
    verdict.equal("shifted picture", found[1], expected[1]);
    verdict.equal("outside of it", found[0], expected[0]);
    return verdict.finish();
}
