#pragma once
/// @file
/// Drawing with OpenGL where there is no window.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/opengl.hpp>  // for the declarations of OpenGL

namespace lockstep {

/// Compiles and links the two stages of an OpenGL program.
/// @param vertex    source of the vertex shader
/// @param fragment  source of the fragment shader
/// @param file, line  place of the caller; leave them out
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
    std::vector<unsigned char> reds(std::size_t(width) * height);
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
            width * height, int(painted));
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
