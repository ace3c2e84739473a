#pragma once
/// @file
/// OpenGL without a window, on the GPU that CUDA uses.

#define EGL_NO_X11           // no window system
#define GL_GLEXT_PROTOTYPES  // declares what came after OpenGL 1.1

#include <cstdio>
#include <cstdlib>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include <cuda_gl_interop.h>  // IWYU pragma: export

#include <lockstep/check.hpp>

namespace lockstep {

/// Ends the program if OpenGL has noted an error since it was last asked.
/// @param file, line  place of the caller; leave them out
inline void check_opengl(const char* file = __builtin_FILE(),
                         int line = __builtin_LINE()) {
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR) return;
    char name[32];
    std::snprintf(name, sizeof name, "OpenGL error 0x%x", error);
    stop_at(false, name, "see glGetError", file, line);
}

/// Owns a context of OpenGL 4.5 on the GPU of a CUDA device, and makes it current in
/// the calling thread. It has no window: draw into a framebuffer object. Never copies.
class headless_opengl {
public:
    /// Creates the context through EGL, which can do without a window system. Ends the
    /// program with status 77 if the driver offers no OpenGL on that GPU.
    /// @param device  number of the CUDA device
    explicit headless_opengl(int device = 0) : display_(display_of(device)) {
        const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                 EGL_OPENGL_BIT, EGL_NONE};
        const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 4,
                                  EGL_CONTEXT_MINOR_VERSION, 5, EGL_NONE};
        EGLConfig config = nullptr;
        EGLint found = 0;
        if (!display_ || !eglInitialize(display_, nullptr, nullptr) ||
            !eglBindAPI(EGL_OPENGL_API) ||
            !eglChooseConfig(display_, wanted, &config, 1, &found) || found == 0)
            missing();
        context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
        if (!context_ || !make_current()) missing();
    }
    headless_opengl(const headless_opengl&) = delete;
    headless_opengl& operator=(const headless_opengl&) = delete;
    ~headless_opengl() {
        release_current();
        eglDestroyContext(display_, context_);
    }

    /// Makes this the context that OpenGL calls of the calling thread refer to.
    /// @return whether it succeeded
    bool make_current() {
        return eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_);
    }
    /// Leaves the calling thread without a context of OpenGL.
    void release_current() {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }

private:
    template <class Function>
    static Function extension(const char* name) {
        return reinterpret_cast<Function>(eglGetProcAddress(name));
    }
    /// EGL numbers GPUs in its own way, and can be asked which CUDA device each one is.
    static EGLDisplay display_of(int device) {
        const auto devices = extension<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
        const auto attribute =
            extension<PFNEGLQUERYDEVICEATTRIBEXTPROC>("eglQueryDeviceAttribEXT");
        const auto display =
            extension<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
        EGLDeviceEXT found[32];
        EGLint count = 0;
        if (!devices || !attribute || !display || !devices(32, found, &count))
            missing();
        for (EGLint i = 0; i < count; ++i) {
            EGLAttrib number = -1;
            if (attribute(found[i], EGL_CUDA_DEVICE_NV, &number) && number == device)
                return display(EGL_PLATFORM_DEVICE_EXT, found[i], nullptr);
        }
        return EGL_NO_DISPLAY;
    }
    [[noreturn]] static void missing() {
        std::fprintf(stderr,
                     "this program needs OpenGL 4.5 through EGL on the first GPU\n");
        std::exit(no_device_status);
    }

    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
};

}  // namespace lockstep
