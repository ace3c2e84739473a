// Can three APIs share one allocation? Vulkan allocates and exports it twice: CUDA
// imports one file descriptor, OpenGL the other. A kernel writes, a semaphore of Vulkan
// that both have imported orders the two, and OpenGL reads what the kernel wrote.

#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/opengl.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/vulkan_buffer.hpp>
#include <lockstep/vulkan_device.hpp>
#include <lockstep/vulkan_semaphore.hpp>

/// Writes 3 * i into each element.
/// @param n  number of elements
/// @param x  n ints, written
__global__ void triple(int n, int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 3 * i;
}

/// A function of an OpenGL extension.
/// @tparam Function  type of a pointer to it, as glext.h names it
/// @param name       of the function
template <class Function>
Function opengl_function(const char* name) {
    return reinterpret_cast<Function>(eglGetProcAddress(name));
}

int main() {
    lockstep::require_device();
    const lockstep::vulkan_device device;
    lockstep::headless_opengl context;
    constexpr int n = 1'000'000;
    constexpr std::size_t bytes = n * sizeof(int);
    const lockstep::vulkan_buffer shared(device, bytes, true);
    const lockstep::vulkan_semaphore written(device, VK_SEMAPHORE_TYPE_BINARY);

    // [cuda]
    cudaExternalMemoryHandleDesc handle{};
    handle.type = cudaExternalMemoryHandleTypeOpaqueFd;
    handle.handle.fd = shared.file_descriptor();
    handle.size = shared.allocated();
    cudaExternalMemory_t imported = nullptr;
    lockstep::check(cudaImportExternalMemory(&imported, &handle));
    cudaExternalMemoryBufferDesc part{};
    part.size = bytes;
    int* x = nullptr;
    lockstep::check(cudaExternalMemoryGetMappedBuffer(reinterpret_cast<void**>(&x),
                                                      imported, &part));
    cudaExternalSemaphoreHandleDesc semaphore_handle{};
    semaphore_handle.type = cudaExternalSemaphoreHandleTypeOpaqueFd;
    semaphore_handle.handle.fd = written.file_descriptor();
    cudaExternalSemaphore_t semaphore = nullptr;
    lockstep::check(cudaImportExternalSemaphore(&semaphore, &semaphore_handle));
    // [/cuda]

    const auto glCreateMemoryObjectsEXT =
        opengl_function<PFNGLCREATEMEMORYOBJECTSEXTPROC>("glCreateMemoryObjectsEXT");
    const auto glImportMemoryFdEXT =
        opengl_function<PFNGLIMPORTMEMORYFDEXTPROC>("glImportMemoryFdEXT");
    const auto glNamedBufferStorageMemEXT =
        opengl_function<PFNGLNAMEDBUFFERSTORAGEMEMEXTPROC>(
            "glNamedBufferStorageMemEXT");
    const auto glGenSemaphoresEXT =
        opengl_function<PFNGLGENSEMAPHORESEXTPROC>("glGenSemaphoresEXT");
    const auto glImportSemaphoreFdEXT =
        opengl_function<PFNGLIMPORTSEMAPHOREFDEXTPROC>("glImportSemaphoreFdEXT");
    const auto glWaitSemaphoreEXT =
        opengl_function<PFNGLWAITSEMAPHOREEXTPROC>("glWaitSemaphoreEXT");
    // [opengl]
    GLuint memory = 0, buffer = 0, gl_written = 0;
    glCreateMemoryObjectsEXT(1, &memory);
    glImportMemoryFdEXT(memory, shared.allocated(), GL_HANDLE_TYPE_OPAQUE_FD_EXT,
                        shared.file_descriptor());  // a second one, for OpenGL
    glCreateBuffers(1, &buffer);
    glNamedBufferStorageMemEXT(buffer, bytes, memory, 0);
    glGenSemaphoresEXT(1, &gl_written);
    glImportSemaphoreFdEXT(gl_written, GL_HANDLE_TYPE_OPAQUE_FD_EXT,
                           written.file_descriptor());
    // [/opengl]
    lockstep::check_opengl();

    lockstep::owned_stream stream;
    // [order]
    triple<<<(n + 255) / 256, 256, 0, stream>>>(n, x);
    lockstep::check(cudaGetLastError());
    const cudaExternalSemaphoreSignalParams signal{};
    lockstep::check(cudaSignalExternalSemaphoresAsync(&semaphore, &signal, 1, stream));
    glWaitSemaphoreEXT(gl_written, 1, &buffer, 0, nullptr, nullptr);
    std::vector<int> seen(n, -1);
    glGetNamedBufferSubData(buffer, 0, bytes, seen.data());
    // [/order]
    lockstep::check_opengl();
    lockstep::check(cudaStreamSynchronize(stream));

    int right = 0;
    for (int i = 0; i < n; ++i) right += seen[i] == 3 * i;
    lockstep::report("elements that OpenGL read", n);
    lockstep::report("as the kernel wrote them", right);
    glDeleteBuffers(1, &buffer);
    lockstep::check(cudaFree(x));
    lockstep::check(cudaDestroyExternalMemory(imported));
    lockstep::check(cudaDestroyExternalSemaphore(semaphore));
    return right == n ? EXIT_SUCCESS : EXIT_FAILURE;
}
