// A picture is to be blurred several times; each round replaces a texel by the mean of
// itself and its four neighbors. A kernel must not fetch what it writes, so there are
// two arrays, each with a texture and a surface, and a launch for each round. Write the
// loop so that each round fetches what the round before has written, and say which
// array holds the result. The check asks for seven rounds, then for four.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/test_picture.hpp>

constexpr int side = 128;  // of the picture, in texels
constexpr dim3 block_size(32, 8);

/// Blurs once; a thread for each texel.
/// @param from  texture of side rows of side ints, clamped
/// @param to    surface of another array of the same size
__global__ void blur(cudaTextureObject_t from, cudaSurfaceObject_t to) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const float u = x + 0.5f, v = y + 0.5f;
    const int sum = tex2D<int>(from, u, v) + tex2D<int>(from, u - 1, v) +
                    tex2D<int>(from, u + 1, v) + tex2D<int>(from, u, v - 1) +
                    tex2D<int>(from, u, v + 1);
    surf2Dwrite(sum / 5, to, x * int(sizeof(int)), y);
}

/// The same on the host: the mean of each texel and its four neighbors.
std::vector<int> blurred(const std::vector<int>& picture) {
    std::vector<int> next(picture.size());
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const int left = std::max(x - 1, 0), right = std::min(x + 1, side - 1);
            const int up = std::max(y - 1, 0), down = std::min(y + 1, side - 1);
            next[y * side + x] = (picture[y * side + x] + picture[y * side + left] +
                                  picture[y * side + right] + picture[up * side + x] +
                                  picture[down * side + x]) /
                                 5;
        }
    }
    return next;
}

int main() {
    lockstep::require_device();

    std::vector<int> picture;
    for (const uchar4 texel : lockstep::test_picture(side))
        picture.push_back(256 * (texel.x + texel.y + texel.z));
    constexpr std::size_t row_bytes = side * sizeof(int);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t arrays[2] = {};
    cudaTextureObject_t textures[2] = {};
    cudaSurfaceObject_t surfaces[2] = {};
    for (const int i : {0, 1}) {
        lockstep::check(cudaMallocArray(&arrays[i], &format, side, side,
                                        cudaArraySurfaceLoadStore));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = arrays[i];
        lockstep::check(cudaCreateSurfaceObject(&surfaces[i], &resource));
        cudaTextureDesc description{};
        description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
        description.readMode = cudaReadModeElementType;
        lockstep::check(
            cudaCreateTextureObject(&textures[i], &resource, &description, nullptr));
    }
    const std::vector<int> zeros(picture.size());
    const dim3 grid(side / block_size.x, side / block_size.y);
    lockstep::exercise_verdict verdict;
    for (const int rounds : {7, 4}) {
        lockstep::check(cudaMemcpy2DToArray(arrays[0], 0, 0, picture.data(), row_bytes,
                                            row_bytes, side, cudaMemcpyHostToDevice));
        lockstep::check(cudaMemcpy2DToArray(arrays[1], 0, 0, zeros.data(), row_bytes,
                                            row_bytes, side, cudaMemcpyHostToDevice));
        int result = 0;  // the array that holds the result
        // [task]
        for (int round = 0; round < rounds; ++round) {
            const int from = round % 2, to = 1 - from;
            blur<<<grid, block_size>>>(textures[from], surfaces[to]);
            lockstep::check(cudaGetLastError());
            result = to;
        }
        //= given
        //| for (int round = 0; round < rounds; ++round) {
        //|     blur<<<grid, block_size>>>(textures[0], surfaces[1]);
        //|     lockstep::check(cudaGetLastError());
        //|     result = 1;
        //| }
        //= mutant other_array
        //| for (int round = 0; round < rounds; ++round) {
        //|     const int from = round % 2, to = 1 - from;
        //|     blur<<<grid, block_size>>>(textures[from], surfaces[to]);
        //|     lockstep::check(cudaGetLastError());
        //|     result = from;
        //| }
        //= mutant always_array_1
        //| for (int round = 0; round < rounds; ++round) {
        //|     const int from = round % 2, to = 1 - from;
        //|     blur<<<grid, block_size>>>(textures[from], surfaces[to]);
        //|     lockstep::check(cudaGetLastError());
        //| }
        //| result = 1;
        //= mutant starts_with_zeros
        //| for (int round = 0; round < rounds; ++round) {
        //|     const int to = round % 2, from = 1 - to;
        //|     blur<<<grid, block_size>>>(textures[from], surfaces[to]);
        //|     lockstep::check(cudaGetLastError());
        //|     result = to;
        //| }
        //= mutant one_round_less
        //| for (int round = 1; round < rounds; ++round) {
        //|     const int to = round % 2, from = 1 - to;
        //|     blur<<<grid, block_size>>>(textures[from], surfaces[to]);
        //|     lockstep::check(cudaGetLastError());
        //|     result = to;
        //| }
        // [/task]

        std::vector<int> found(picture.size());
        lockstep::check(cudaMemcpy2DFromArray(found.data(), row_bytes, arrays[result],
                                              0, 0, row_bytes, side,
                                              cudaMemcpyDeviceToHost));
        std::vector<int> expected = picture;
        for (int round = 0; round < rounds; ++round) expected = blurred(expected);
        const std::string label = "picture, " + std::to_string(rounds) + " rounds";
        verdict.equal(label.c_str(), found, expected,
                      lockstep::in_groups(side, "row", "column"));
    }
    for (const int i : {0, 1}) {
        lockstep::check(cudaDestroyTextureObject(textures[i]));
        lockstep::check(cudaDestroySurfaceObject(surfaces[i]));
        lockstep::check(cudaFreeArray(arrays[i]));
    }
    return verdict.finish();
}
