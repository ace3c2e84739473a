// What does a texture do that an array does not? It is read between its elements and
// beyond its edges: a kernel rotates a picture with one fetch for each pixel, and the
// hardware interpolates four texels and decides what lies outside. All four addressing
// modes, against a reference with the weights of 8 bits that the filter uses.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/pixmap.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/test_picture.hpp>

constexpr float shrink = 1.6f;  // so that the surroundings come into view

// [kernel]
/// Rotates a square picture about its center, and shrinks it.
/// @param picture       texture of four components, with normalized coordinates
/// @param side          pixels of a side of the result
/// @param cosine, sine  of the angle, times the factor by which the picture shrinks
/// @param out           side * side pixels in device memory, written
__global__ void rotate(cudaTextureObject_t picture, int side, float cosine, float sine,
                       uchar4* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side) return;
    const float u = (x + 0.5f) / side - 0.5f;  // the pixel's center, seen from the
    const float v = (y + 0.5f) / side - 0.5f;  // picture's center
    const float4 color = tex2D<float4>(picture, cosine * u - sine * v + 0.5f,
                                       sine * u + cosine * v + 0.5f);
    const auto byte = [](float part) {
        return static_cast<unsigned char>(part * 255 + 0.5f);
    };
    out[y * side + x] = {byte(color.x), byte(color.y), byte(color.z), byte(color.w)};
}
// [/kernel]

/// The index of the texel that an addressing mode takes for any index, or -1.
int texel_index(cudaTextureAddressMode mode, int i, int n) {
    const int turn = ((i % (2 * n)) + 2 * n) % (2 * n);  // from 0 to 2 n - 1
    switch (mode) {
        case cudaAddressModeWrap: return turn % n;
        case cudaAddressModeMirror: return turn < n ? turn : 2 * n - 1 - turn;
        case cudaAddressModeClamp: return std::clamp(i, 0, n - 1);
        default: return i >= 0 && i < n ? i : -1;  // the border is black
    }
}

// [reference]
/// What a linear fetch returns: red, green and blue from 0 to 255.
/// @param texels  side * side texels
/// @param side    of the picture
/// @param mode    of both axes
/// @param u, v    normalized coordinates
/// @param rgb     three numbers, written
void linear_fetch(const std::vector<uchar4>& texels, int side,
                  cudaTextureAddressMode mode, double u, double v, double* rgb) {
    // 256ths of a texel, seen from the center of texel 0
    const int x = static_cast<int>(std::floor((u * side - 0.5) * 256 + 0.5));
    const int y = static_cast<int>(std::floor((v * side - 0.5) * 256 + 0.5));
    const double right = (x & 255) / 256.0, below = (y & 255) / 256.0;
    rgb[0] = rgb[1] = rgb[2] = 0;
    for (int corner = 0; corner < 4; ++corner) {
        const int i = texel_index(mode, (x >> 8) + corner % 2, side);
        const int j = texel_index(mode, (y >> 8) + corner / 2, side);
        if (i < 0 || j < 0) continue;
        const double weight =
            (corner % 2 ? right : 1 - right) * (corner / 2 ? below : 1 - below);
        const uchar4 texel = texels[j * side + i];
        rgb[0] += weight * texel.x;
        rgb[1] += weight * texel.y;
        rgb[2] += weight * texel.z;
    }
}
// [/reference]

/// The bytes of pixels without their fourth component.
std::vector<unsigned char> rgb_of(const std::vector<uchar4>& pixels) {
    std::vector<unsigned char> rgb;
    for (const uchar4& pixel : pixels)
        rgb.insert(rgb.end(), {pixel.x, pixel.y, pixel.z});
    return rgb;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int side = 64 * options.integer("units", 4, 1, 64);
    const bool pictures = options.flag("pictures");
    options.finish();
    lockstep::require_device();

    const std::vector<uchar4> texels = lockstep::test_picture(side);
    // [array]
    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    lockstep::check(cudaMallocArray(&array, &format, side, side));
    const std::size_t row_bytes = side * sizeof(uchar4);
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, texels.data(), row_bytes,
                                        row_bytes, side, cudaMemcpyHostToDevice));
    // [/array]
    // [description]
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeNormalizedFloat;  // bytes become 0 to 1
    description.normalizedCoords = 1;
    // [/description]

    struct {
        const char* name;
        cudaTextureAddressMode mode;
    } const modes[] = {{"wrap", cudaAddressModeWrap},
                       {"mirror", cudaAddressModeMirror},
                       {"clamp", cudaAddressModeClamp},
                       {"border", cudaAddressModeBorder}};
    const float cosine = shrink * std::cos(0.5f), sine = shrink * std::sin(0.5f);
    lockstep::device_buffer<uchar4> d_out(texels.size());
    lockstep::report("pixels", texels.size());
    if (pictures) lockstep::write_pixmap("picture.ppm", side, side, rgb_of(texels));
    int worst = 0;  // levels of 255
    for (const auto& [name, mode] : modes) {
        d_out.fill_bytes(0x55);
        // [object]
        description.addressMode[0] = description.addressMode[1] = mode;
        cudaTextureObject_t picture = 0;
        lockstep::check(
            cudaCreateTextureObject(&picture, &resource, &description, nullptr));
        const dim3 block(16, 16);
        const dim3 grid((side + 15) / 16, (side + 15) / 16);
        rotate<<<grid, block>>>(picture, side, cosine, sine, d_out.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());  // before the object is destroyed
        lockstep::check(cudaDestroyTextureObject(picture));
        // [/object]
        const std::vector<uchar4> out = d_out.to_host();
        int largest = 0;
        for (int i = 0; i < side * side; ++i) {
            const double u = (i % side + 0.5) / side - 0.5;
            const double v = (i / side + 0.5) / side - 0.5;
            double rgb[3];
            linear_fetch(texels, side, mode, cosine * u - sine * v + 0.5,
                         sine * u + cosine * v + 0.5, rgb);
            const int found[] = {out[i].x, out[i].y, out[i].z};
            for (int part = 0; part < 3; ++part)
                largest = std::max(
                    largest, std::abs(found[part] - int(std::floor(rgb[part] + 0.5))));
        }
        worst = std::max(worst, largest);
        lockstep::report((name + std::string(", largest error")).c_str(), largest,
                         "of 255");
        if (pictures)
            lockstep::write_pixmap(std::string("rotated_") + name + ".ppm", side, side,
                                   rgb_of(out));
    }
    lockstep::check(cudaFreeArray(array));

    // The hardware may round a coordinate to the next 256th on each axis: 1 level of
    // 255 for each, since texels differ by at most 255. Rounding to bytes adds one.
    constexpr int tolerance = 3;
    return worst <= tolerance ? EXIT_SUCCESS : EXIT_FAILURE;
}
