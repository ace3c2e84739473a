// What does sharing save? New vertices for each picture: a kernel writes them into the
// mapped buffer of OpenGL, or into memory of CUDA from where they are copied to the
// host and from there into the buffer. For many vertices and for few. And what do
// registering and mapping cost by themselves?

#include <cstdlib>
#include <string>

#include <cuda_runtime.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/opengl.hpp>
#include <lockstep/require_device.hpp>

/// Writes a value into each component.
/// @param n       number of vertices
/// @param value   to write
/// @param points  n vertices, written
__global__ void fill(int n, float value, float4* points) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) points[i] = make_float4(value, value, value, value);
}

/// Prints a time.
void report_us(const std::string& label, const lockstep::timing& time) {
    lockstep::report(label.c_str(), lockstep::measured{1e3 * time.median_ms}, "us");
}

/// Hands n vertices to OpenGL in both ways, and prints the times.
/// @param n     number of vertices
/// @param name  of this size, for the labels
/// @return whether OpenGL saw the right values
bool compare(int n, const std::string& name) {
    const std::size_t bytes = n * sizeof(float4);
    const int blocks = (n + 255) / 256;
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, bytes, nullptr, GL_DYNAMIC_DRAW);
    cudaGraphicsResource_t resource = nullptr;
    lockstep::check(cudaGraphicsGLRegisterBuffer(
        &resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard));
    lockstep::device_buffer<float4> d_points(n);
    float4* on_host = nullptr;  // pinned
    lockstep::check(cudaMallocHost(&on_host, bytes));
    const auto last_value = [&] {  // as OpenGL sees it
        float4 last{};
        glGetBufferSubData(GL_ARRAY_BUFFER, bytes - sizeof last, sizeof last, &last);
        return last.w;
    };

    // [ways]
    const auto download = [&] {
        fill<<<blocks, 256>>>(n, 2, d_points.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(
            cudaMemcpy(on_host, d_points.data(), bytes, cudaMemcpyDeviceToHost));
    };
    const auto upload = [&] {
        glBufferSubData(GL_ARRAY_BUFFER, 0, bytes, on_host);
        glFinish();  // waits for OpenGL
    };
    const auto share = [&](bool write) {
        lockstep::check(cudaGraphicsMapResources(1, &resource));
        float4* points = nullptr;
        std::size_t size = 0;
        lockstep::check(cudaGraphicsResourceGetMappedPointer(
            reinterpret_cast<void**>(&points), &size, resource));
        if (write) fill<<<blocks, 256>>>(n, 1, points);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaGraphicsUnmapResources(1, &resource));
        glFinish();
        lockstep::check(cudaDeviceSynchronize());
    };
    // [/ways]
    report_us(name + ", kernel, to the host", lockstep::time_on_host(download));
    report_us(name + ", to OpenGL", lockstep::time_on_host(upload));
    report_us(name + ", both in turns", lockstep::time_on_host([&] {
                  download();
                  upload();
              }));
    const bool copied = last_value() == 2;
    report_us(name + ", shared", lockstep::time_on_host([&] { share(true); }));
    const bool shared = last_value() == 1;
    report_us(name + ", map and unmap alone",
              lockstep::time_on_host([&] { share(false); }));
    lockstep::check_opengl();
    lockstep::check(cudaGraphicsUnregisterResource(resource));
    report_us(name + ", register, unregister", lockstep::time_on_host([&] {
                  lockstep::check(cudaGraphicsGLRegisterBuffer(
                      &resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard));
                  lockstep::check(cudaGraphicsUnregisterResource(resource));
              }));
    lockstep::check(cudaFreeHost(on_host));
    glDeleteBuffers(1, &buffer);
    return copied && shared;
}

int main() {
    lockstep::require_device();
    lockstep::headless_opengl context;
    const bool large = compare(4'000'000, "64 MB");
    const bool small = compare(256, "4 KiB");
    lockstep::report("OpenGL saw all values", large && small);
    return large && small ? EXIT_SUCCESS : EXIT_FAILURE;
}
