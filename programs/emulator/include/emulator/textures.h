// Texture and surface functions of device code.
#pragma once

#include "device.h"

extern "C" {
// Fetches from a texture object.
// `at`: x, y, z; `level`: null, or the level, or four derivatives where the function takes them.
__device__ void __emu_texture(unsigned long long object, int function, const float* at, int layer,
                              const float* level, int type, void* texel, const char* file,
                              int line);
// Reads or writes an element of a surface object. `at`: x in bytes, y, slice or layer or face.
__device__ void __emu_surface(unsigned long long object, int function, const int* at, int mode,
                              int bytes, bool write, void* value, const char* file, int line);
}

namespace emulator_headers {

// How the runtime is told which type a texel is wanted as.
template <class T>
struct texel_type {};
#define __EMU_TEXELS(base, vector, kind)                                 \
    template <>                                                          \
    struct texel_type<base> {                                            \
        enum { code = emulator_abi::texel_code(kind, sizeof(base), 1) }; \
    };                                                                   \
    template <>                                                          \
    struct texel_type<vector##1> {                                       \
        enum { code = emulator_abi::texel_code(kind, sizeof(base), 1) }; \
    };                                                                   \
    template <>                                                          \
    struct texel_type<vector##2> {                                       \
        enum { code = emulator_abi::texel_code(kind, sizeof(base), 2) }; \
    };                                                                   \
    template <>                                                          \
    struct texel_type<vector##4> {                                       \
        enum { code = emulator_abi::texel_code(kind, sizeof(base), 4) }; \
    };
__EMU_TEXELS(signed char, char, emulator_abi::texel_signed)
__EMU_TEXELS(unsigned char, uchar, emulator_abi::texel_unsigned)
__EMU_TEXELS(short, short, emulator_abi::texel_signed)
__EMU_TEXELS(unsigned short, ushort, emulator_abi::texel_unsigned)
__EMU_TEXELS(int, int, emulator_abi::texel_signed)
__EMU_TEXELS(unsigned, uint, emulator_abi::texel_unsigned)
__EMU_TEXELS(float, float, emulator_abi::texel_float)
#undef __EMU_TEXELS
template <>
struct texel_type<char> : texel_type<signed char> {};

template <class T>
__EMU_DEVICE T fetched(unsigned long long object, int function, float x, float y, float z,
                       int layer, const float* level, const char* file, int line) {
    const float at[3] = {x, y, z};
    T texel;
    __emu_texture(object, function, at, layer, level, texel_type<T>::code, &texel, file, line);
    return texel;
}
template <class T>
__EMU_DEVICE T read_surface(unsigned long long object, int function, int x, int y, int z, int mode,
                            const char* file, int line) {
    const int at[3] = {x, y, z};
    T value;
    __emu_surface(object, function, at, mode, sizeof value, false, &value, file, line);
    return value;
}
template <class T>
__EMU_DEVICE void write_surface(T value, unsigned long long object, int function, int x, int y,
                                int z, int mode, const char* file, int line) {
    const int at[3] = {x, y, z};
    __emu_surface(object, function, at, mode, sizeof value, true, &value, file, line);
}

}  // namespace emulator_headers

// The function, its parameters, and what they are for the runtime: x, y, z, layer, level.
#define __EMU_FETCH(name, function, parameters, ...)                                           \
    template <class T>                                                                         \
    __EMU_DEVICE T name parameters {                                                           \
        return emulator_headers::fetched<T>(object, emulator_abi::function, __VA_ARGS__, file, \
                                            line);                                             \
    }
#define __EMU_OF cudaTextureObject_t object
__EMU_FETCH(tex1Dfetch, fetch_linear, (__EMU_OF, int x, __EMU_PLACE), 0, 0, 0, x, nullptr)
__EMU_FETCH(tex1D, fetch_1d, (__EMU_OF, float x, __EMU_PLACE), x, 0, 0, 0, nullptr)
__EMU_FETCH(tex2D, fetch_2d, (__EMU_OF, float x, float y, __EMU_PLACE), x, y, 0, 0, nullptr)
__EMU_FETCH(tex3D, fetch_3d, (__EMU_OF, float x, float y, float z, __EMU_PLACE), x, y, z, 0,
            nullptr)
__EMU_FETCH(tex1DLayered, fetch_1d_layered, (__EMU_OF, float x, int layer, __EMU_PLACE), x, 0, 0,
            layer, nullptr)
__EMU_FETCH(tex2DLayered, fetch_2d_layered, (__EMU_OF, float x, float y, int layer, __EMU_PLACE), x,
            y, 0, layer, nullptr)
__EMU_FETCH(texCubemap, fetch_cube, (__EMU_OF, float x, float y, float z, __EMU_PLACE), x, y, z, 0,
            nullptr)
__EMU_FETCH(texCubemapLayered, fetch_cube_layered,
            (__EMU_OF, float x, float y, float z, int layer, __EMU_PLACE), x, y, z, layer, nullptr)
__EMU_FETCH(tex2Dgather, gather_2d, (__EMU_OF, float x, float y, int component = 0, __EMU_PLACE), x,
            y, 0, component, nullptr)
__EMU_FETCH(tex1DLod, fetch_1d, (__EMU_OF, float x, float level, __EMU_PLACE), x, 0, 0, 0, &level)
__EMU_FETCH(tex2DLod, fetch_2d, (__EMU_OF, float x, float y, float level, __EMU_PLACE), x, y, 0, 0,
            &level)
__EMU_FETCH(tex3DLod, fetch_3d, (__EMU_OF, float x, float y, float z, float level, __EMU_PLACE), x,
            y, z, 0, &level)
__EMU_FETCH(tex1DLayeredLod, fetch_1d_layered,
            (__EMU_OF, float x, int layer, float level, __EMU_PLACE), x, 0, 0, layer, &level)
__EMU_FETCH(tex2DLayeredLod, fetch_2d_layered,
            (__EMU_OF, float x, float y, int layer, float level, __EMU_PLACE), x, y, 0, layer,
            &level)
__EMU_FETCH(texCubemapLod, fetch_cube,
            (__EMU_OF, float x, float y, float z, float level, __EMU_PLACE), x, y, z, 0, &level)
__EMU_FETCH(texCubemapLayeredLod, fetch_cube_layered,
            (__EMU_OF, float x, float y, float z, int layer, float level, __EMU_PLACE), x, y, z,
            layer, &level)
#undef __EMU_FETCH
template <class T>
__EMU_DEVICE T tex2DGrad(__EMU_OF, float x, float y, float2 dx, float2 dy, __EMU_PLACE) {
    const float along[4] = {dx.x, dx.y, dy.x, dy.y};
    return emulator_headers::fetched<T>(object, emulator_abi::gradient_2d, x, y, 0, 0, along, file,
                                        line);
}
#undef __EMU_OF

#define __EMU_SURFACE(name, function, parameters, ...)                                        \
    template <class T>                                                                        \
    __EMU_DEVICE T name##read parameters {                                                    \
        return emulator_headers::read_surface<T>(object, emulator_abi::function, __VA_ARGS__, \
                                                 mode, file, line);                           \
    }
#define __EMU_OF cudaSurfaceObject_t object
#define __EMU_MODE cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, __EMU_PLACE
__EMU_SURFACE(surf1D, fetch_1d, (__EMU_OF, int x, __EMU_MODE), x, 0, 0)
__EMU_SURFACE(surf2D, fetch_2d, (__EMU_OF, int x, int y, __EMU_MODE), x, y, 0)
__EMU_SURFACE(surf3D, fetch_3d, (__EMU_OF, int x, int y, int z, __EMU_MODE), x, y, z)
__EMU_SURFACE(surf1DLayered, fetch_1d_layered, (__EMU_OF, int x, int layer, __EMU_MODE), x, 0,
              layer)
__EMU_SURFACE(surf2DLayered, fetch_2d_layered, (__EMU_OF, int x, int y, int layer, __EMU_MODE), x,
              y, layer)
__EMU_SURFACE(surfCubemap, fetch_cube, (__EMU_OF, int x, int y, int face, __EMU_MODE), x, y, face)
__EMU_SURFACE(surfCubemapLayered, fetch_cube_layered,
              (__EMU_OF, int x, int y, int face, __EMU_MODE), x, y, face)
#undef __EMU_SURFACE
#define __EMU_SURFACE(name, function, parameters, ...)                                            \
    template <class T>                                                                            \
    __EMU_DEVICE void name##write parameters {                                                    \
        emulator_headers::write_surface(value, object, emulator_abi::function, __VA_ARGS__, mode, \
                                        file, line);                                              \
    }
__EMU_SURFACE(surf1D, fetch_1d, (T value, __EMU_OF, int x, __EMU_MODE), x, 0, 0)
__EMU_SURFACE(surf2D, fetch_2d, (T value, __EMU_OF, int x, int y, __EMU_MODE), x, y, 0)
__EMU_SURFACE(surf3D, fetch_3d, (T value, __EMU_OF, int x, int y, int z, __EMU_MODE), x, y, z)
__EMU_SURFACE(surf1DLayered, fetch_1d_layered, (T value, __EMU_OF, int x, int layer, __EMU_MODE), x,
              0, layer)
__EMU_SURFACE(surf2DLayered, fetch_2d_layered,
              (T value, __EMU_OF, int x, int y, int layer, __EMU_MODE), x, y, layer)
__EMU_SURFACE(surfCubemap, fetch_cube, (T value, __EMU_OF, int x, int y, int face, __EMU_MODE), x,
              y, face)
__EMU_SURFACE(surfCubemapLayered, fetch_cube_layered,
              (T value, __EMU_OF, int x, int y, int face, __EMU_MODE), x, y, face)
#undef __EMU_SURFACE
#undef __EMU_OF
#undef __EMU_MODE
