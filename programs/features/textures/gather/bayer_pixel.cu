// The sensor of a camera sees one color in each place: red and green in even rows,
// green and blue in odd ones. Make one pixel of each 2 x 2 places with a single gather:
// its red, the mean of its two greens, its blue.

#include <cstddef>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/test_picture.hpp>

constexpr int side = 128;  // of the picture; the sensor has twice as many places
constexpr dim3 block_size(32, 8);

/// Makes a picture of what the sensor saw; a thread for each pixel.
/// @param sensor  texture of 2 * side rows of 2 * side floats
/// @param rgb     red, green and blue of each pixel in device memory, written
__global__ void develop(cudaTextureObject_t sensor, float* rgb) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    // [task]
    const float4 four = tex2Dgather<float4>(sensor, 2 * x + 1, 2 * y + 1);
    const float red = four.w, green = (four.x + four.z) / 2, blue = four.y;
    //= given
    //| const float4 four = tex2Dgather<float4>(sensor, x, y);
    //| const float red = four.x, green = four.y, blue = four.z;
    //= mutant row_by_row
    //| const float4 four = tex2Dgather<float4>(sensor, 2 * x + 1, 2 * y + 1);
    //| const float red = four.x, green = (four.y + four.z) / 2, blue = four.w;
    //= mutant previous_places
    //| const float4 four = tex2Dgather<float4>(sensor, 2 * x, 2 * y);
    //| const float red = four.w, green = (four.x + four.z) / 2, blue = four.y;
    //= mutant red_and_blue_exchanged
    //| const float4 four = tex2Dgather<float4>(sensor, 2 * x + 1, 2 * y + 1);
    //| const float red = four.y, green = (four.x + four.z) / 2, blue = four.w;
    //= mutant one_green
    //| const float4 four = tex2Dgather<float4>(sensor, 2 * x + 1, 2 * y + 1);
    //| const float red = four.w, green = four.x, blue = four.y;
    // [/task]
    float* pixel = rgb + 3 * (y * side + x);
    pixel[0] = red;
    pixel[1] = green;
    pixel[2] = blue;
}

int main() {
    lockstep::require_device();

    constexpr int places = 2 * side;
    std::vector<float> sensor(places * places), expected[3];
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const uchar4 texel = lockstep::picture_texel(x, y, side);
            const int first = 2 * y * places + 2 * x;
            sensor[first] = texel.x;
            sensor[first + 1] = static_cast<float>(texel.y + 4);  // the greens differ
            sensor[first + places] = texel.y;
            sensor[first + places + 1] = texel.z;
            expected[0].push_back(texel.x);
            expected[1].push_back(static_cast<float>(texel.y + 2));
            expected[2].push_back(texel.z);
        }
    }
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    lockstep::check(
        cudaMallocArray(&array, &format, places, places, cudaArrayTextureGather));
    constexpr std::size_t row_bytes = places * sizeof(float);
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, sensor.data(), row_bytes,
                                        row_bytes, places, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    for (cudaTextureAddressMode& mode : description.addressMode)
        mode = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    lockstep::check(
        cudaCreateTextureObject(&texture, &resource, &description, nullptr));

    lockstep::device_buffer<float> d_rgb(3 * side * side);
    d_rgb.fill_bytes(0xFF);
    develop<<<dim3(side / block_size.x, side / block_size.y), block_size>>>(
        texture, d_rgb.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> rgb = d_rgb.to_host();
    lockstep::check(cudaDestroyTextureObject(texture));
    lockstep::check(cudaFreeArray(array));

    lockstep::exercise_verdict verdict;
    std::vector<float> found[3];
    for (std::size_t i = 0; i < rgb.size(); ++i) found[i % 3].push_back(rgb[i]);
    verdict.equal("red", found[0], expected[0]);
    verdict.equal("green", found[1], expected[1]);
    verdict.equal("blue", found[2], expected[2]);
    return verdict.finish();
}
