// How does a kernel write what OpenGL draws? The buffer with the vertices is registered
// once. For each picture it is mapped, a kernel writes a wave into it, it is unmapped,
// and OpenGL draws its points. The vertices never leave the GPU's memory.

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/opengl.hpp>
#include <lockstep/opengl_drawing.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int side = 256;  // points of a side of the grid
constexpr int n = side * side;

/// Puts each point of a square grid at the height of a wave.
/// @param side    points of a side
/// @param phase   of the wave, in radians
/// @param points  side * side positions (x, y, z, 1), x and z from -1 to 1, written
__global__ void wave(int side, float phase, float4* points) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= side * side) return;
    const float x = 2.0f * (i % side) / (side - 1) - 1;
    const float z = 2.0f * (i / side) / (side - 1) - 1;
    points[i] = make_float4(x, 0.5f * sinf(6 * x + phase) * cosf(3 * z), z, 1);
}

/// Number of pixels of the framebuffer that are not black.
/// @param width  pixels of a side
int lit_pixels(int width) {
    std::vector<unsigned> pixels(width * width);
    glReadPixels(0, 0, width, width, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    int lit = 0;
    for (const unsigned pixel : pixels) lit += (pixel & 0xFFFFFF) != 0;
    return lit;
}

int main() {
    lockstep::require_device();
    lockstep::headless_opengl context;
    constexpr int width = 512;
    lockstep::draw_off_screen(width, width);
    glUseProgram(lockstep::opengl_program(
        "#version 450\nlayout(location = 0) in vec4 at;"
        "void main() { gl_Position = vec4(at.x, at.y + 0.4 * at.z, 0, 1); }",
        "#version 450\nout vec4 color; void main() { color = vec4(1); }"));

    // [register]
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, n * sizeof(float4), nullptr, GL_DYNAMIC_DRAW);
    cudaGraphicsResource_t resource = nullptr;
    lockstep::check(cudaGraphicsGLRegisterBuffer(
        &resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard));
    // [/register]
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);

    float worst = 0;
    bool drawn = true;
    for (int frame = 0; frame < 3; ++frame) {
        const float phase = 0.5f * frame;
        // [frame]
        lockstep::check(cudaGraphicsMapResources(1, &resource));
        float4* points = nullptr;
        std::size_t bytes = 0;
        lockstep::check(cudaGraphicsResourceGetMappedPointer(
            reinterpret_cast<void**>(&points), &bytes, resource));
        wave<<<(n + 255) / 256, 256>>>(side, phase, points);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaGraphicsUnmapResources(1, &resource));

        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_POINTS, 0, n);  // after the kernel: unmapping sees to that
        // [/frame]
        lockstep::check_opengl();
        if (frame == 0) lockstep::report("bytes mapped", bytes);

        const int lit = lit_pixels(width);
        std::vector<float4> seen(n);  // by OpenGL
        glGetBufferSubData(GL_ARRAY_BUFFER, 0, n * sizeof(float4), seen.data());
        lockstep::check_opengl();
        for (const float4& p : seen) {
            const float height = 0.5f * std::sin(6 * p.x + phase) * std::cos(3 * p.z);
            const float error = std::fabs(p.y - height);
            if (!(error <= worst)) worst = error;
        }
        lockstep::report(("pixels of picture " + std::to_string(frame + 1)).c_str(),
                         lit);
        drawn = drawn && lit > 0;
    }
    // [unregister]
    lockstep::check(cudaGraphicsUnregisterResource(resource));
    glDeleteBuffers(1, &buffer);
    // [/unregister]
    // sines of arguments up to 7 are off by a few units in the last place
    lockstep::report("heights within 1e-6", worst <= 1e-6f);
    return worst <= 1e-6f && drawn ? EXIT_SUCCESS : EXIT_FAILURE;
}
