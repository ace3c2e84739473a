// How does a layered texture differ from a three-dimensional one? A layer is chosen by
// a whole number, and filtering stays inside it. The third coordinate of a
// three-dimensional texture is a float, and filtering blends neighboring slices. Both
// read the same numbers here.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

constexpr int side = 4;  // texels of a row, and rows of a layer
constexpr int layers = 3;

/// A place in the stack.
struct place {
    float x, y;  ///< in texels; the center of the first texel is 0.5
    float z;  ///< the layer, a whole number, or the depth in slices
};

// [kernels]
/// Fetches from a layered texture; a thread for each place.
/// @param stack   texture of `layers` layers
/// @param places  one for each thread; z is a whole number
/// @param values  one float for each thread in device memory, written
__global__ void from_layers(cudaTextureObject_t stack, const place* places,
                            float* values) {
    const place at = places[threadIdx.x];
    const int layer = static_cast<int>(at.z);
    values[threadIdx.x] = tex2DLayered<float>(stack, at.x, at.y, layer);
}

/// Fetches from a three-dimensional texture; a thread for each place.
/// @param volume  texture of `layers` slices
/// @param places  one for each thread
/// @param values  one float for each thread in device memory, written
__global__ void from_volume(cudaTextureObject_t volume, const place* places,
                            float* values) {
    const place at = places[threadIdx.x];
    values[threadIdx.x] = tex3D<float>(volume, at.x, at.y, at.z);
}
// [/kernels]

/// Makes an array of side * side * layers floats and fills it.
/// @param flags   cudaArrayLayered, or cudaArrayDefault for a volume
/// @param texels  the floats, layer by layer
cudaArray_t make_array(unsigned flags, std::vector<float>& texels) {
    // [array]
    const cudaExtent extent = make_cudaExtent(side, side, layers);  // in elements
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    lockstep::check(cudaMalloc3DArray(&array, &format, extent, flags));

    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), side * sizeof(float), side, side);
    copy.dstArray = array;
    copy.extent = extent;  // all layers in one copy
    copy.kind = cudaMemcpyHostToDevice;
    lockstep::check(cudaMemcpy3D(&copy));
    // [/array]
    return array;
}

/// Makes a texture object with linear filtering over an array.
cudaTextureObject_t make_texture(cudaArray_t array) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    for (cudaTextureAddressMode& mode : description.addressMode)
        mode = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    lockstep::check(
        cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

int main() {
    lockstep::require_device();

    std::vector<float> texels;
    for (int layer = 0; layer < layers; ++layer)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x)
                texels.push_back(static_cast<float>(100 * layer + 10 * y + x));
    const cudaArray_t layered = make_array(cudaArrayLayered, texels);
    const cudaArray_t slices = make_array(cudaArrayDefault, texels);
    const cudaTextureObject_t stack = make_texture(layered);
    const cudaTextureObject_t volume = make_texture(slices);

    // [places]
    const std::vector<place> in_stack = {
        {1.5f, 2.5f, 0}, {1.5f, 2.5f, 1},  {1.5f, 2.5f, 2}, {2, 2.5f, 1},
        {2, 2, 1},       {1.5f, 2.5f, -1}, {1.5f, 2.5f, 3}, {1.5f, 2.5f, 100}};
    const std::vector<place> in_volume = {{1.5f, 2.5f, 0.5f}, {1.5f, 2.5f, 1.5f},
                                          {1.5f, 2.5f, 2},    {2, 2, 2},
                                          {1.5f, 2.5f, -1},   {1.5f, 2.5f, 100}};
    // [/places]
    const lockstep::device_buffer<place> d_in_stack(in_stack), d_in_volume(in_volume);
    lockstep::device_buffer<float> d_stack(in_stack.size()), d_volume(in_volume.size());
    d_stack.fill_bytes(0xFF);
    d_volume.fill_bytes(0xFF);
    from_layers<<<1, static_cast<unsigned>(in_stack.size())>>>(stack, d_in_stack.data(),
                                                               d_stack.data());
    lockstep::check(cudaGetLastError());
    from_volume<<<1, static_cast<unsigned>(in_volume.size())>>>(
        volume, d_in_volume.data(), d_volume.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> of_stack = d_stack.to_host(),
                             of_volume = d_volume.to_host();

    std::printf("%-12s%-8s%-8s%-8s%s\n", "texture", "x", "y", "layer", "value");
    for (std::size_t i = 0; i < in_stack.size(); ++i)
        std::printf("%-12s%-8g%-8g%-8g%g\n", "layered", in_stack[i].x, in_stack[i].y,
                    in_stack[i].z, of_stack[i]);
    for (std::size_t i = 0; i < in_volume.size(); ++i)
        std::printf("%-12s%-8g%-8g%-8g%g\n", "3D", in_volume[i].x, in_volume[i].y,
                    in_volume[i].z, of_volume[i]);

    // inside the stack: the means of neighboring texels are exact in these numbers
    const std::vector<float> layered_values = {21, 121, 221, 121.5f, 116.5f};
    const std::vector<float> volume_values = {21, 121, 171, 166.5f, 21, 221};
    bool right = true;
    for (std::size_t i = 0; i < layered_values.size(); ++i)
        right = right && std::fabs(of_stack[i] - layered_values[i]) <= 0.01f;
    for (std::size_t i = 0; i < volume_values.size(); ++i)
        right = right && std::fabs(of_volume[i] - volume_values[i]) <= 0.01f;

    lockstep::check(cudaDestroyTextureObject(stack));
    lockstep::check(cudaDestroyTextureObject(volume));
    lockstep::check(cudaFreeArray(layered));
    lockstep::check(cudaFreeArray(slices));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
