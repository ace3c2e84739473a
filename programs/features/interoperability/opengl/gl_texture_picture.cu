// How does a kernel paint a texture? The image is registered for surface access. While
// it is mapped, CUDA has it as an array, and a kernel writes texels through a surface
// object. OpenGL then draws a rectangle with this texture. --picture prints the pixels.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/opengl.hpp>
#include <lockstep/opengl_drawing.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int side = 64;  // texels of a side
constexpr int n = side * side;

/// Brightness of two circular waves that overlap.
/// @param side  texels of a side of the picture
/// @param x, y  a texel
/// @return 0 to 255
__device__ unsigned char brightness(int side, int x, int y) {
    const float left = hypotf(x - 0.25f * side, y - 0.5f * side);
    const float right = hypotf(x - 0.75f * side, y - 0.5f * side);
    return static_cast<unsigned char>(127.5f +
                                      63.7f * (cosf(0.4f * left) + cosf(0.4f * right)));
}

// [paint]
/// Paints the waves through a surface, and into an array to compare with.
/// @param side     texels of a side
/// @param picture  surface of side * side texels of 4 bytes, written
/// @param copy     side * side brightnesses, written
__global__ void paint(int side, cudaSurfaceObject_t picture, unsigned char* copy) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side) return;
    const unsigned char b = brightness(side, x, y);
    surf2Dwrite(make_uchar4(b, b, b, 255), picture, x * sizeof(uchar4), y);
    copy[y * side + x] = b;
}
// [/paint]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool show = options.flag("picture");
    options.finish();
    lockstep::require_device();
    lockstep::headless_opengl context;
    lockstep::draw_off_screen(side, side);

    // [register]
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, side, side);
    glClearTexImage(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);  // black
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    cudaGraphicsResource_t resource = nullptr;
    lockstep::check(cudaGraphicsGLRegisterImage(
        &resource, texture, GL_TEXTURE_2D, cudaGraphicsRegisterFlagsSurfaceLoadStore));
    // [/register]

    lockstep::device_buffer<unsigned char> d_copy(n);
    // [map]
    lockstep::check(cudaGraphicsMapResources(1, &resource));
    cudaResourceDesc description{};
    description.resType = cudaResourceTypeArray;
    lockstep::check(cudaGraphicsSubResourceGetMappedArray(&description.res.array.array,
                                                          resource, 0, 0));
    cudaSurfaceObject_t picture = 0;
    lockstep::check(cudaCreateSurfaceObject(&picture, &description));
    paint<<<dim3(side / 16, side / 16), dim3(16, 16)>>>(side, picture, d_copy.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());  // the kernel uses the object
    lockstep::check(cudaDestroySurfaceObject(picture));
    lockstep::check(cudaGraphicsUnmapResources(1, &resource));
    // [/map]

    // [draw]
    glUseProgram(lockstep::opengl_program(
        "#version 450\nout vec2 place; void main() {"
        "  place = vec2(gl_VertexID & 1, gl_VertexID >> 1);"
        "  gl_Position = vec4(2 * place - 1, 0, 1); }",
        "#version 450\nin vec2 place; out vec4 color; uniform sampler2D picture;"
        "void main() { color = texture(picture, place); }"));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);  // a rectangle over all pixels
    std::vector<uchar4> pixels(n);
    glReadPixels(0, 0, side, side, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    lockstep::check_opengl();
    // [/draw]

    const std::vector<unsigned char> expected = d_copy.to_host();
    int right = 0;
    for (int i = 0; i < n; ++i)
        right += pixels[i].x == expected[i] && pixels[i].w == 255;
    lockstep::report("pixels", n);
    lockstep::report("as the kernel painted them", right);
    for (int y = 0; show && y < side; ++y) {
        for (int x = 0; x < side; ++x)
            std::putchar('0' + pixels[y * side + x].x * 10 / 256);
        std::putchar('\n');
    }
    lockstep::check(cudaGraphicsUnregisterResource(resource));
    glDeleteTextures(1, &texture);
    return right == n ? EXIT_SUCCESS : EXIT_FAILURE;
}
