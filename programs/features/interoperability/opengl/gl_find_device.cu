// Which CUDA device does OpenGL draw on? EGL creates a context of OpenGL on a GPU of
// our choice, without a window; cudaGLGetDevices says which CUDA devices belong to the
// context that is current. Buffers can be shared on these only.

#include <cstdlib>

#include <cuda_runtime.h>

#include <lockstep/opengl.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    lockstep::headless_opengl context(0);  // on the GPU of CUDA device 0

    // [devices]
    unsigned count = 0;
    int devices[8] = {-1};
    lockstep::check(cudaGLGetDevices(&count, devices, 8, cudaGLDeviceListAll));
    // [/devices]
    const auto text = [](GLenum name) {
        return reinterpret_cast<const char*>(glGetString(name));
    };
    lockstep::report("vendor of this OpenGL", text(GL_VENDOR));
    lockstep::report("its renderer", text(GL_RENDERER));
    lockstep::report("CUDA devices of the context", count);
    lockstep::report("the first one", devices[0]);

    context.release_current();
    const cudaError_t without =
        cudaGLGetDevices(&count, devices, 8, cudaGLDeviceListAll);
    lockstep::report("without a context", cudaGetErrorName(without));
    return devices[0] == 0 && without != cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
