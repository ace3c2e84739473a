// Which mistakes does the runtime refuse when a texture is made, and which not? It
// refuses a filter for whole numbers, three components, a pitch that is not aligned,
// and an array that is too large. It accepts wrap without normalized coordinates, and
// clamps.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Tries to make a texture, and destroys it again.
cudaError_t texture_of(const cudaResourceDesc& resource,
                       const cudaTextureDesc& description) {
    cudaTextureObject_t texture = 0;
    const cudaError_t status =
        cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    if (status == cudaSuccess) lockstep::check(cudaDestroyTextureObject(texture));
    cudaGetLastError();  // the next call is not to return this error again
    return status;
}

/// Tries to allocate an array, and frees it again.
cudaError_t array_of(const cudaChannelFormatDesc& format, std::size_t width,
                     std::size_t height) {
    cudaArray_t array = nullptr;
    const cudaError_t status = cudaMallocArray(&array, &format, width, height);
    if (status == cudaSuccess) lockstep::check(cudaFreeArray(array));
    cudaGetLastError();
    return status;
}

int main() {
    lockstep::require_device();
    const auto show = [](const char* mistake, cudaError_t status) {
        lockstep::report(mistake, cudaGetErrorName(status));
        return status;
    };

    const cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    cudaArray_t of_ints = nullptr, of_floats = nullptr;
    lockstep::check(cudaMallocArray(&of_ints, &ints, 64, 64));
    lockstep::check(cudaMallocArray(&of_floats, &floats, 64, 64));
    cudaResourceDesc int_array{}, float_array{};
    int_array.resType = float_array.resType = cudaResourceTypeArray;
    int_array.res.array.array = of_ints;
    float_array.res.array.array = of_floats;

    // [refused]
    cudaTextureDesc linear{};
    linear.addressMode[0] = linear.addressMode[1] = cudaAddressModeClamp;
    linear.filterMode = cudaFilterModeLinear;
    linear.readMode = cudaReadModeElementType;
    const cudaError_t filter =
        show("linear filter of ints", texture_of(int_array, linear));

    const cudaError_t three =
        show("three components",
             array_of(cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat),
                      64, 64));
    const cudaError_t large = show("too wide an array", array_of(floats, 1 << 20, 64));

    lockstep::device_buffer<float> d_texels(64 * 64);
    cudaResourceDesc pitched{};
    pitched.resType = cudaResourceTypePitch2D;
    pitched.res.pitch2D.devPtr = d_texels.data();
    pitched.res.pitch2D.desc = floats;
    pitched.res.pitch2D.width = 61;
    pitched.res.pitch2D.height = 61;
    pitched.res.pitch2D.pitchInBytes = 61 * sizeof(float);  // no multiple of 32
    const cudaError_t unaligned =
        show("pitch of 244 bytes", texture_of(pitched, linear));
    // [/refused]

    // [accepted]
    linear.addressMode[0] = linear.addressMode[1] = cudaAddressModeWrap;
    linear.normalizedCoords = 0;
    const cudaError_t wrap =
        show("wrap, not normalized", texture_of(float_array, linear));
    // [/accepted]
    lockstep::check(cudaFreeArray(of_ints));
    lockstep::check(cudaFreeArray(of_floats));

    const bool right = filter == cudaErrorInvalidFilterSetting &&
                       three == cudaErrorInvalidChannelDescriptor &&
                       large != cudaSuccess && unaligned != cudaSuccess &&
                       wrap == cudaSuccess;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
