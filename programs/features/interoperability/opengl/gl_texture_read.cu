// How does CUDA read a texture that OpenGL has filled? Through the array of the mapped
// image: a kernel samples it with a texture object, and a copy brings it to the host. A
// copy in the other direction changes the texture, and OpenGL reads what it brought.

#include <cmath>  // std::abs of a float
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/opengl.hpp>
#include <lockstep/opengl_drawing.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int side = 64;  // texels of a side
constexpr int n = side * side;

// [read]
/// Reads each texel, as it is stored and as a number from 0 to 1 halfway to the next.
/// @param side     texels of a side
/// @param points   texture that returns the nearest texel as four bytes
/// @param smooth   texture that filters, and returns numbers from 0 to 1
/// @param texels   side * side texels, written
/// @param between  side * side reds between a texel and the next one, written
__global__ void read(int side, cudaTextureObject_t points, cudaTextureObject_t smooth,
                     uchar4* texels, float* between) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side) return;
    texels[y * side + x] = tex2D<uchar4>(points, x + 0.5f, y + 0.5f);
    between[y * side + x] = tex2D<float4>(smooth, x + 1.0f, y + 0.5f).x;
}
// [/read]

/// How many texels are (x, y, blue, 255) in column x and row y.
int count_right(const std::vector<uchar4>& texels, int blue) {
    int right = 0;
    for (int i = 0; i < n; ++i)
        right += texels[i].x == i % side && texels[i].y == i / side &&
                 texels[i].z == blue && texels[i].w == 255;
    return right;
}

int main() {
    lockstep::require_device();
    lockstep::headless_opengl context;
    lockstep::draw_off_screen(side, side);

    // [fill]
    glUseProgram(lockstep::opengl_program(
        "#version 450\nvoid main() {"
        "  vec2 place = vec2(gl_VertexID & 1, gl_VertexID >> 1);"
        "  gl_Position = vec4(2 * place - 1, 0, 1); }",
        "#version 450\nout vec4 color; void main() {"
        "  color = vec4(floor(gl_FragCoord.xy) / 255, 7.0 / 255, 1); }"));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);  // a rectangle over all pixels
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, side, side);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, side, side);  // of the picture
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    lockstep::check_opengl();
    // [/fill]

    // [map]
    cudaGraphicsResource_t resource = nullptr;
    lockstep::check(cudaGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D,
                                                cudaGraphicsRegisterFlagsNone));
    lockstep::check(cudaGraphicsMapResources(1, &resource));
    cudaArray_t array = nullptr;
    lockstep::check(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0));
    // [/map]

    lockstep::device_buffer<uchar4> d_texels(n);
    lockstep::device_buffer<float> d_between(n);
    d_texels.fill_bytes(0xFF);
    d_between.fill_bytes(0xFF);
    // [sample]
    cudaResourceDesc description{};
    description.resType = cudaResourceTypeArray;
    description.res.array.array = array;
    cudaTextureDesc sampling{};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    sampling.filterMode = cudaFilterModePoint;
    sampling.readMode = cudaReadModeElementType;
    cudaTextureObject_t points = 0, smooth = 0;
    lockstep::check(cudaCreateTextureObject(&points, &description, &sampling, nullptr));
    sampling.filterMode = cudaFilterModeLinear;
    sampling.readMode = cudaReadModeNormalizedFloat;
    lockstep::check(cudaCreateTextureObject(&smooth, &description, &sampling, nullptr));
    read<<<dim3(side / 16, side / 16), dim3(16, 16)>>>(
        side, points, smooth, d_texels.data(), d_between.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    lockstep::check(cudaDestroyTextureObject(points));
    lockstep::check(cudaDestroyTextureObject(smooth));
    // [/sample]

    // [copy]
    constexpr std::size_t row = side * sizeof(uchar4);
    std::vector<uchar4> copied(n), changed(n), seen(n);
    lockstep::check(cudaMemcpy2DFromArray(copied.data(), row, array, 0, 0, row, side,
                                          cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) changed[i] = {copied[i].x, copied[i].y, 9, 255};
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, changed.data(), row, row, side,
                                        cudaMemcpyHostToDevice));
    lockstep::check(cudaGraphicsUnmapResources(1, &resource));
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, seen.data());
    lockstep::check_opengl();
    // [/copy]

    int halfway = 0;  // red rises by 1/255 from texel to texel
    const std::vector<float> between = d_between.to_host();
    for (int i = 0; i < n; ++i) {
        const float expected = i % side + 1 < side ? i % side + 0.5f : side - 1.0f;
        halfway += std::abs(between[i] * 255 - expected) <= 1.0f / 8;
    }
    const int sampled = count_right(d_texels.to_host(), 7);
    const int from_array = count_right(copied, 7), in_opengl = count_right(seen, 9);
    lockstep::report("texels", n);
    lockstep::report("right in the kernel", sampled);
    lockstep::report("right between two texels", halfway);
    lockstep::report("right on the host", from_array);
    lockstep::report("right in OpenGL, changed", in_opengl);
    lockstep::check(cudaGraphicsUnregisterResource(resource));
    glDeleteTextures(1, &texture);
    return sampled == n && halfway == n && from_array == n && in_opengl == n
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
