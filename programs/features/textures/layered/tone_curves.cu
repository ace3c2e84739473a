// What are the layers of a one-dimensional texture good for? For several tables of one
// size. Each layer holds a tone curve, 256 floats, and the kernel applies all of them
// to the test picture: as it is, brighter, and with more contrast.

#include <cmath>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/pixmap.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/test_picture.hpp>

constexpr int entries = 256;  // of a curve, one for each value of a component
constexpr int curves = 3;
constexpr int side = 192;  // of the picture
constexpr int block_size = 256;

// [kernel]
/// Applies each curve to a picture; a thread for each component.
/// @param n       components of the picture
/// @param table   layered texture with a curve in each layer
/// @param from    n components in device memory
/// @param to      curves * n components in device memory, written
__global__ void apply(int n, cudaTextureObject_t table, const unsigned char* from,
                      unsigned char* to) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float x = from[i] + 0.5f;  // the center of the texel
    for (int curve = 0; curve < curves; ++curve) {
        const float value = tex1DLayered<float>(table, x, curve);
        to[curve * n + i] = static_cast<unsigned char>(__float2int_rn(value));
    }
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool pictures = options.flag("pictures");
    options.finish();
    lockstep::require_device();

    // [table]
    std::vector<float> table;
    for (int curve = 0; curve < curves; ++curve) {
        for (int i = 0; i < entries; ++i) {
            const float v = static_cast<float>(i) / (entries - 1);
            const float curved[curves] = {v, std::sqrt(v), v * v * (3 - 2 * v)};
            table.push_back(255 * curved[curve]);
        }
    }
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    lockstep::check(cudaMalloc3DArray(
        &array, &format, make_cudaExtent(entries, 0, curves), cudaArrayLayered));
    cudaMemcpy3DParms copy{};
    copy.srcPtr =
        make_cudaPitchedPtr(table.data(), entries * sizeof(float), entries, 1);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(entries, 1, curves);  // of one row for each layer
    copy.kind = cudaMemcpyHostToDevice;
    lockstep::check(cudaMemcpy3D(&copy));
    // [/table]
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    description.addressMode[0] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    lockstep::check(
        cudaCreateTextureObject(&texture, &resource, &description, nullptr));

    std::vector<unsigned char> rgb, expected;
    for (const uchar4 texel : lockstep::test_picture(side))
        rgb.insert(rgb.end(), {texel.x, texel.y, texel.z});
    for (int curve = 0; curve < curves; ++curve)
        for (const unsigned char value : rgb)
            expected.push_back(
                static_cast<unsigned char>(std::lrint(table[curve * entries + value])));
    const int n = static_cast<int>(rgb.size());
    const lockstep::device_buffer<unsigned char> d_from(rgb);
    lockstep::device_buffer<unsigned char> d_to(expected.size());
    d_to.fill_bytes(0);
    apply<<<(n + block_size - 1) / block_size, block_size>>>(n, texture, d_from.data(),
                                                             d_to.data());
    lockstep::check(cudaGetLastError());
    const std::vector<unsigned char> found = d_to.to_host();
    if (pictures) lockstep::write_pixmap("curves.ppm", side, curves * side, found);
    const std::size_t wrong = lockstep::count_mismatches(found, expected);
    lockstep::report("components", found.size());
    lockstep::report("wrong components", wrong);
    lockstep::check(cudaDestroyTextureObject(texture));
    lockstep::check(cudaFreeArray(array));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
