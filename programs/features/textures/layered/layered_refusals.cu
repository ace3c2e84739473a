// Which layered arrays and cubemaps does the runtime refuse? The program asks for
// several, some of which break a rule, and prints what the call returns.

#include <cstdio>
#include <cstdlib>

#include <lockstep/require_device.hpp>

/// What is asked for, and whether it keeps the rules.
struct request {
    const char* label;
    std::size_t width, height, depth;
    unsigned flags;
    bool good;
};

int main() {
    lockstep::require_device();

    // [requests]
    constexpr unsigned layered = cudaArrayLayered, cubemap = cudaArrayCubemap;
    const request requests[] = {
        {"1D, 4 layers", 64, 0, 4, layered, true},
        {"2D, 4 layers", 64, 32, 4, layered, true},
        {"2D, no layers", 64, 32, 0, layered, false},
        {"cubemap", 64, 64, 6, cubemap, true},
        {"cubemap, 64 x 32", 64, 32, 6, cubemap, false},
        {"cubemap, 5 faces", 64, 64, 5, cubemap, false},
        {"cubemap, 12 faces", 64, 64, 12, cubemap, false},
        {"layered cubemap, 12 faces", 64, 64, 12, cubemap | layered, true},
        {"layered cubemap, 13 faces", 64, 64, 13, cubemap | layered, false},
        {"2D layered, 2048 layers", 8, 8, 2048, layered, true},
        {"2D layered, 2049 layers", 8, 8, 2049, layered, false},
    };
    // [/requests]
    bool right = true;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    std::printf("%-30s%s\n", "array", "error");
    for (const request& asked : requests) {
        cudaArray_t array = nullptr;
        const cudaError_t error = cudaMalloc3DArray(
            &array, &format, make_cudaExtent(asked.width, asked.height, asked.depth),
            asked.flags);
        std::printf("%-30s%s\n", asked.label, cudaGetErrorName(error));
        static_cast<void>(cudaGetLastError());  // clears the refusal, which was printed
        if (asked.good) right = right && error == cudaSuccess;
        if (error == cudaSuccess) lockstep::check(cudaFreeArray(array));
    }

    // [seamless]
    cudaArray_t plain = nullptr;
    lockstep::check(cudaMallocArray(&plain, &format, 64, 64));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = plain;
    cudaTextureDesc description{};
    description.normalizedCoords = 1;
    description.seamlessCubemap = 1;
    cudaTextureObject_t texture = 0;
    const cudaError_t error =
        cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    // [/seamless]
    std::printf("%-30s%s\n", "seamless, plain 2D array", cudaGetErrorName(error));
    static_cast<void>(cudaGetLastError());
    if (error == cudaSuccess) lockstep::check(cudaDestroyTextureObject(texture));
    lockstep::check(cudaFreeArray(plain));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
