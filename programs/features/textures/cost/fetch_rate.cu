// How many threads does an SM serve with a texel in each cycle? All data is in the L1
// cache, so the rate is that of the units: fewer threads by fetches than by loads,
// whether a fetch interpolates or not, and fewer still if texels have 16 bytes.

#include <cmath>  // std::abs of a float
#include <cstddef>
#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int side = 64;          // texels of the picture's side
constexpr int block_size = 1024;  // 32 rows of 32 threads
constexpr int rounds = 128;       // of 8 reads each

// [sources]
/// Reads by fetches of floats.
struct fetched_float {
    cudaTextureObject_t texture;  ///< its filter decides between one texel and four
    __device__ float operator()(float x, float y, int) const {
        return tex2D<float>(texture, x, y);
    }
};
/// Reads by fetches of four components, and uses all of them.
struct fetched_float4 {
    cudaTextureObject_t texture;  ///< of float4, or of bytes that are read as floats
    __device__ float operator()(float x, float y, int) const {
        const float4 texel = tex2D<float4>(texture, x, y);
        return (texel.x + texel.y) + (texel.z + texel.w) - 3;
    }
};
/// Reads by loads of floats.
struct loaded {
    const float* texels;  ///< side * side floats in device memory
    __device__ float operator()(float, float, int i) const { return texels[i]; }
};
// [/sources]

// [kernel]
/// Reads the same texels again and again; one block of block_size threads on each SM.
/// @tparam Source  what returns a texel
/// @param source   a picture in which each component of each texel is 1
/// @param sums     a float for each thread in device memory, written
/// @param cycles   a number for each block in device memory, written
template <class Source>
__global__ void __launch_bounds__(block_size)
    read_often(Source source, float* sums, long long* cycles) {
    const int column = threadIdx.x % 32;
    float total = 0;
    __syncthreads();
    const long long begin = clock64();
    for (int round = 0; round < rounds; ++round) {
        const int row = (threadIdx.x / 32 + round) % 32;
        const float x = column + 0.8f, y = row + 0.8f;  // between four texels
#pragma unroll
        for (int k = 0; k < 8; ++k) total += source(x + k, y, row * side + column + k);
    }
    __syncthreads_or(total > 0);  // all reads of all threads are complete
    const long long end = clock64();
    sums[blockIdx.x * block_size + threadIdx.x] = total;
    if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
}
// [/kernel]

/// An array full of texels, and a texture of it.
struct full_texture {
    cudaArray_t array = nullptr;
    cudaTextureObject_t object = 0;

    /// @param texel   what each texel is
    /// @param filter  of the texture
    /// @param mode    how texels are read
    template <class T>
    full_texture(T texel, cudaTextureFilterMode filter, cudaTextureReadMode mode) {
        const std::vector<T> texels(side * side, texel);
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
        lockstep::check(cudaMallocArray(&array, &format, side, side));
        lockstep::check(cudaMemcpy2DToArray(array, 0, 0, texels.data(),
                                            side * sizeof(T), side * sizeof(T), side,
                                            cudaMemcpyHostToDevice));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc description{};
        description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
        description.filterMode = filter;
        description.readMode = mode;
        lockstep::check(
            cudaCreateTextureObject(&object, &resource, &description, nullptr));
    }
    full_texture& operator=(full_texture&&) = delete;  // and so no copy
    ~full_texture() {
        cudaDestroyTextureObject(object);
        cudaFreeArray(array);
    }
};

int main() {
    lockstep::require_device();
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));

    // [textures]
    const auto plain = cudaReadModeElementType;
    const full_texture point(1.0f, cudaFilterModePoint, plain);
    const full_texture linear(1.0f, cudaFilterModeLinear, plain);
    const full_texture bytes(uchar4{255, 255, 255, 255}, cudaFilterModeLinear,
                             cudaReadModeNormalizedFloat);
    const full_texture wide(float4{1, 1, 1, 1}, cudaFilterModeLinear, plain);
    // [/textures]
    const lockstep::device_buffer<float> d_texels(std::vector<float>(side * side, 1));
    lockstep::device_buffer<float> d_sums(std::size_t(sms) * block_size);
    lockstep::device_buffer<long long> d_cycles(sms);

    std::size_t wrong = 0;
    const auto rate = [&](const char* what, auto source) {
        d_sums.fill_bytes(0xFF);
        read_often<<<sms, block_size>>>(source, d_sums.data(), d_cycles.data());
        lockstep::check(cudaGetLastError());
        for (const float sum : d_sums.to_host())  // weights of 8 bits may not add up
            wrong += !(std::abs(sum - 8 * rounds) <= 0.01 * 8 * rounds);
        double cycles = 0;
        for (const long long one : d_cycles.to_host())
            cycles += static_cast<double>(one) / sms;
        lockstep::report(what, lockstep::measured{8.0 * rounds * block_size / cycles},
                         "threads per cycle");
    };
    // [rates]
    rate("loads of float", loaded{d_texels.data()});
    rate("point fetches of float", fetched_float{point.object});
    rate("linear fetches of float", fetched_float{linear.object});
    rate("linear fetches of uchar4", fetched_float4{bytes.object});
    rate("linear fetches of float4", fetched_float4{wide.object});
    // [/rates]
    lockstep::report("wrong sums", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
