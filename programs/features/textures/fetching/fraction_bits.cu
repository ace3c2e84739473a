// How finely does the filter interpolate? In steps of 1/256: of the place between two
// texels it keeps eight bits. Between the texels 0 and 1, 4097 places have 257 values.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int places = 4096;  // from the center of one texel to that of the next

// [kernel]
/// Fetches at equally spaced places from the first texel's center to the second one's.
/// @param texture  of the texels 0 and 1, interpolating
/// @param out      places + 1 floats in device memory, written
__global__ void fetch_between(cudaTextureObject_t texture, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= places) out[i] = tex1D<float>(texture, 0.5f + float(i) / places);
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    const float texels[] = {0, 1};
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    lockstep::check(cudaMallocArray(&array, &format, 2));
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels,
                                        sizeof texels, 1, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    description.addressMode[0] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    lockstep::check(
        cudaCreateTextureObject(&texture, &resource, &description, nullptr));

    lockstep::device_buffer<float> d_out(places + 1);
    d_out.fill_bytes(0xFF);
    fetch_between<<<places / 256 + 1, 256>>>(texture, d_out.data());
    lockstep::check(cudaGetLastError());
    const std::vector<float> out = d_out.to_host();
    lockstep::check(cudaDestroyTextureObject(texture));
    lockstep::check(cudaFreeArray(array));

    // [judge]
    int multiples = 0, rounded = 0, cut = 0;
    float largest = 0;
    for (int i = 0; i <= places; ++i) {
        const float exact = float(i) / places;
        multiples += out[i] * 256 == std::floor(out[i] * 256);
        rounded += out[i] == std::floor(exact * 256 + 0.5f) / 256;
        cut += out[i] == std::floor(exact * 256) / 256;
        largest = std::max(largest, std::abs(out[i] - exact));
    }
    std::vector<float> values = out;
    std::sort(values.begin(), values.end());
    const long distinct = std::unique(values.begin(), values.end()) - values.begin();
    // [/judge]
    lockstep::report("places", places + 1);
    lockstep::report("different values", distinct);
    lockstep::report("multiples of 1/256", multiples);
    lockstep::report("rounded to 1/256", rounded);
    lockstep::report("cut off to 1/256", cut);
    lockstep::report("largest error", double(largest));

    lockstep::csv_file file(csv, "place,interpolation,value");
    for (int i = 0; i <= places / 32; ++i) {  // a part that shows the steps
        file.row("%.8f,by the texture,%.8f", double(i) / places, double(out[i]));
        file.row("%.8f,exact,%.8f", double(i) / places, double(i) / places);
    }
    file.finish();
    // A weight with eight bits of fraction is wrong by less than 1/256, however it is
    // rounded. A NaN is no multiple.
    const bool right = multiples == places + 1 && distinct <= 257 &&
                       largest < 1.0f / 256 && out[places] == 1;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
