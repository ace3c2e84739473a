// What does a third dimension add? A texture of three dimensions interpolates between
// its planes as well. Two planes hold a picture and its negative, and one fetch for
// each pixel fades from the first to the second, from left to right.

#include <algorithm>
#include <cmath>  // std::abs of a float
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/pixmap.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/test_picture.hpp>

constexpr int side = 256;  // texels of a plane's side

// [kernel]
/// Fades from the first plane to the second.
/// @param volume  texture of side * side * 2 texels
/// @param out     side * side pixels from 0 to 255 in device memory, written
__global__ void fade(cudaTextureObject_t volume, float3* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side) return;
    const float z = 0.5f + (x + 0.5f) / side;  // 0.5 is the first plane, 1.5 the second
    const float4 color = tex3D<float4>(volume, x + 0.5f, y + 0.5f, z);
    out[y * side + x] = {255 * color.x, 255 * color.y, 255 * color.z};
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool pictures = options.flag("pictures");
    options.finish();
    lockstep::require_device();

    std::vector<uchar4> planes = lockstep::test_picture(side);
    for (int i = 0; i < side * side; ++i) {
        const auto rest = [](int part) {
            return static_cast<unsigned char>(255 - part);
        };
        const uchar4 texel = planes[i];
        planes.push_back({rest(texel.x), rest(texel.y), rest(texel.z), 255});
    }
    // [array]
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    const cudaExtent extent = make_cudaExtent(side, side, 2);  // texels
    cudaArray_t array = nullptr;
    lockstep::check(cudaMalloc3DArray(&array, &format, extent));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(planes.data(), side * sizeof(uchar4), side, side);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    lockstep::check(cudaMemcpy3D(&copy));
    // [/array]
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    for (cudaTextureAddressMode& mode : description.addressMode)
        mode = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t volume = 0;
    lockstep::check(cudaCreateTextureObject(&volume, &resource, &description, nullptr));

    lockstep::device_buffer<float3> d_out(side * side);
    d_out.fill_bytes(0xFF);
    fade<<<dim3(side / 16, side / 16), dim3(16, 16)>>>(volume, d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float3> out = d_out.to_host();
    lockstep::check(cudaDestroyTextureObject(volume));
    lockstep::check(cudaFreeArray(array));

    double largest = 0;
    for (int i = 0; i < side * side; ++i) {
        const double weight = (i % side + 0.5) / side;
        const auto error = [&](float found, int part) {
            return std::abs(found - ((1 - weight) * part + weight * (255 - part)));
        };
        for (const double one :
             {error(out[i].x, planes[i].x), error(out[i].y, planes[i].y),
              error(out[i].z, planes[i].z)})
            if (!(one <= largest)) largest = one;  // a NaN stays
    }
    lockstep::report("planes", extent.depth);
    lockstep::report("largest error", largest, "of 255");
    if (pictures) {
        std::vector<unsigned char> rgb;
        for (const float3& pixel : out)
            for (const float part : {pixel.x, pixel.y, pixel.z})
                rgb.push_back(
                    static_cast<unsigned char>(std::clamp(part + 0.5f, 0.0f, 255.0f)));
        lockstep::write_pixmap("faded.ppm", side, side, rgb);
    }
    // The weight of the second plane has eight bits of fraction, so it is wrong by less
    // than 1/256: one level. Half a level allows for the conversion from bytes.
    return largest < 1.5 ? EXIT_SUCCESS : EXIT_FAILURE;
}
