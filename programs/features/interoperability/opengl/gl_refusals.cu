// Which mistakes with a shared buffer does CUDA refuse, and with which error? Pointers
// asked for before mapping, mapping twice, objects that cannot be registered, and a
// thread without a context of OpenGL. A format that the guide excludes is accepted.

#include <cstdlib>

#include <cuda_runtime.h>

#include <lockstep/opengl.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    lockstep::headless_opengl context;
    GLuint buffer = 0, image = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 1 << 20, nullptr, GL_DYNAMIC_DRAW);
    glGenTextures(1, &image);
    glBindTexture(GL_TEXTURE_2D, image);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGB8, 64, 64);  // three components

    bool all_refused = true;
    const auto refused = [&](const char* label, cudaError_t error) {
        lockstep::report(label, cudaGetErrorName(error));
        all_refused = all_refused && error != cudaSuccess;
        cudaGetLastError();  // so that no later check finds it
    };
    constexpr unsigned flags = cudaGraphicsRegisterFlagsNone;
    cudaGraphicsResource_t resource = nullptr, other = nullptr;
    void* pointer = nullptr;
    cudaArray_t array = nullptr;
    std::size_t bytes = 0;

    // [register]
    refused("register: no such buffer",
            cudaGraphicsGLRegisterBuffer(&other, buffer + 1000, flags));
    refused("register: unknown flags",
            cudaGraphicsGLRegisterBuffer(&other, buffer, 1 << 20));
    context.release_current();
    refused("register: no context",
            cudaGraphicsGLRegisterBuffer(&other, buffer, flags));
    context.make_current();
    // [/register]

    // [map]
    lockstep::check(cudaGraphicsGLRegisterBuffer(&resource, buffer, flags));
    refused("pointer: not mapped",
            cudaGraphicsResourceGetMappedPointer(&pointer, &bytes, resource));
    refused("unmap: not mapped", cudaGraphicsUnmapResources(1, &resource));
    lockstep::check(cudaGraphicsMapResources(1, &resource));
    refused("map: already mapped", cudaGraphicsMapResources(1, &resource));
    refused("array: it is a buffer",
            cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
    refused("flags: while mapped",
            cudaGraphicsResourceSetMapFlags(resource, cudaGraphicsMapFlagsReadOnly));
    lockstep::check(cudaGraphicsUnmapResources(1, &resource));
    // [/map]
    lockstep::check(cudaGraphicsUnregisterResource(resource));

    // [components]
    // three components, which the guide does not list
    const cudaError_t rgb =
        cudaGraphicsGLRegisterImage(&other, image, GL_TEXTURE_2D, flags);
    lockstep::report("not refused: RGB texels", cudaGetErrorName(rgb));
    if (rgb == cudaSuccess) {
        lockstep::check(cudaGraphicsMapResources(1, &other));
        lockstep::check(cudaGraphicsSubResourceGetMappedArray(&array, other, 0, 0));
        cudaChannelFormatDesc texel{};
        lockstep::check(cudaGetChannelDesc(&texel, array));
        const int bits = texel.x + texel.y + texel.z + texel.w;
        lockstep::report("bits of such a texel", bits);
        lockstep::check(cudaGraphicsUnmapResources(1, &other));
        lockstep::check(cudaGraphicsUnregisterResource(other));
    }
    // [/components]
    return all_refused ? EXIT_SUCCESS : EXIT_FAILURE;
}
