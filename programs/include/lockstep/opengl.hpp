#pragma once
/// @file
/// OpenGL without a window, on the GPU that CUDA uses.

#define EGL_NO_X11           // no window system
#define GL_GLEXT_PROTOTYPES  // declares what came after OpenGL 1.1

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include <cuda_gl_interop.h>  // IWYU pragma: export

#include <lockstep/check.hpp>

namespace lockstep {

/// Ends the program if OpenGL has noted an error since it was last asked.
/// @param file  source file of the caller; leave it out
/// @param line  source line of the caller; leave it out
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

/// Compiles and links the two stages of an OpenGL program.
/// @param vertex    source of the vertex shader
/// @param fragment  source of the fragment shader
/// @param file      source file of the caller; leave it out
/// @param line      source line of the caller; leave it out
/// @return the program's name, which the caller deletes
inline GLuint opengl_program(const char* vertex, const char* fragment,
                             const char* file = __builtin_FILE(),
                             int line = __builtin_LINE()) {
    const GLuint program = glCreateProgram();
    const auto add = [program](GLenum kind, const char* source) {
        const GLuint shader = glCreateShader(kind);
        glShaderSource(shader, 1, &source, nullptr);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);  // as soon as the program is gone
    };
    add(GL_VERTEX_SHADER, vertex);
    add(GL_FRAGMENT_SHADER, fragment);
    glLinkProgram(program);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked) stop_at(false, "OpenGL", "a shader does not compile", file, line);
    return program;
}

/// Ends the program with status 77 unless OpenGL paints every pixel of the framebuffer
/// within ten seconds.
/// @param width, height  in pixels
inline void require_drawing(int width, int height) {
    const GLuint white = opengl_program(
        "#version 450\nvoid main() {"
        "  vec2 place = vec2(gl_VertexID & 1, gl_VertexID >> 1);"
        "  gl_Position = vec4(2 * place - 1, 0, 1); }",
        "#version 450\nout vec4 color; void main() { color = vec4(1); }");
    glUseProgram(white);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);  // a rectangle over all pixels
    const GLsync drawn = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    constexpr GLuint64 ten_seconds = 10'000'000'000;
    const GLenum ended =
        glClientWaitSync(drawn, GL_SYNC_FLUSH_COMMANDS_BIT, ten_seconds);
    std::vector<unsigned char> reds(static_cast<std::size_t>(width) * height);
    if (ended != GL_TIMEOUT_EXPIRED) {
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, width, height, GL_RED, GL_UNSIGNED_BYTE, reds.data());
        glPixelStorei(GL_PACK_ALIGNMENT, 4);
    }
    const auto painted = std::count(reds.begin(), reds.end(), 255);
    if (painted != width * height) {
        std::fprintf(
            stderr,
            "this program needs a GPU that draws: of a rectangle of %d pixels, "
            "OpenGL painted %d\n",
            width * height, static_cast<int>(painted));
        std::_Exit(no_device_status);  // without waiting for what it does not finish
    }
    glDeleteSync(drawn);
    glUseProgram(0);
    glDeleteProgram(white);
}

/// Makes a framebuffer of 8-bit RGBA pixels the place where OpenGL draws, all black.
/// Ends the program with status 77 if OpenGL cannot draw there.
/// @param width, height  in pixels
inline void draw_off_screen(int width, int height) {
    GLuint framebuffer = 0, pixels = 0;
    glGenFramebuffers(1, &framebuffer);
    glGenRenderbuffers(1, &pixels);
    glBindRenderbuffer(GL_RENDERBUFFER, pixels);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              pixels);
    glViewport(0, 0, width, height);
    GLuint vertices = 0;
    glGenVertexArrays(1, &vertices);
    glBindVertexArray(vertices);  // nothing is drawn without one
    require_drawing(width, height);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace lockstep
