// What does the read mode normalized float return? The whole range of an integer type
// as 0 to 1, or as -1 to 1 if it is signed: the largest number reads as 1. The smallest
// signed number and its successor both read as -1.

#include <algorithm>
#include <cmath>  // std::abs of a float
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Fetches each texel as a float.
/// @param texture  of one dimension
/// @param out      one float for each thread of the one block, written
__global__ void fetch(cudaTextureObject_t texture, float* out) {
    out[threadIdx.x] = tex1D<float>(texture, threadIdx.x + 0.5f);
}
// [/kernel]

/// Prints what some numbers of an integer type read as.
/// @return how many are not their share of the largest number
template <class T>
int wrong_reads(const char* type, const std::vector<T>& texels) {
    // [texture]
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    const std::size_t bytes = texels.size() * sizeof(T);
    cudaArray_t array = nullptr;
    lockstep::check(cudaMallocArray(&array, &format, texels.size()));
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, texels.data(), bytes, bytes, 1,
                                        cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    description.addressMode[0] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t texture = 0;
    lockstep::check(
        cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    // [/texture]
    lockstep::device_buffer<float> d_out(texels.size());
    d_out.fill_bytes(0xFF);
    fetch<<<1, static_cast<unsigned>(texels.size())>>>(texture, d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> out = d_out.to_host();
    lockstep::check(cudaDestroyTextureObject(texture));
    lockstep::check(cudaFreeArray(array));

    int wrong = 0;
    for (std::size_t i = 0; i < texels.size(); ++i) {
        lockstep::report((type + (" " + std::to_string(texels[i]))).c_str(),
                         double(out[i]));
        const double share = double(texels[i]) / std::numeric_limits<T>::max();
        // a float has 24 bits: 1e-6 allows for the rounding of the conversion
        wrong += !(std::abs(out[i] - std::max(share, -1.0)) <= 1e-6);
    }
    return wrong;
}

int main() {
    lockstep::require_device();

    // [numbers]
    int wrong = wrong_reads<unsigned char>("unsigned char", {0, 1, 128, 255});
    wrong += wrong_reads<signed char>("signed char", {-128, -127, 64, 127});
    wrong += wrong_reads<unsigned short>("unsigned short", {1, 32768, 65535});
    wrong += wrong_reads<short>("short", {-32768, -32767, 32767});
    // [/numbers]
    lockstep::report("as expected", wrong == 0);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
