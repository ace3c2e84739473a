// Texture and surface objects: made, asked about, destroyed.

#include <cstdio>
#include <deque>

#include "captures.hpp"
#include "memory.hpp"
#include "memory_sides.hpp"
#include "texture_writes.hpp"
#include "textures.hpp"

namespace emulator {

namespace {

std::deque<texture_object> all_textures;  // the first one is number 1
std::deque<surface_object> all_surfaces;

template <class T>
T* numbered(std::deque<T>& all, unsigned long long number) {
    return number >= 1 && number <= all.size() ? &all[number - 1] : nullptr;
}

void forget(texture_object& one) {
    one.destroyed = true;
    one.levels.clear();
}
void forget(surface_object& one) {
    one.destroyed = true;
    one.array = nullptr;
}

cudaError_t lacking(const char* what) {
    fflush(stdout);
    fprintf(stderr, "emulator: cudaCreateTextureObject: the emulator lacks %s\n", what);
    return cudaErrorNotSupported;
}

// Memory as an array of one level. It is the program's own: the array has only its address.
std::shared_ptr<texel_array> memory_as_array(void* begin, const texel_format& format, size_t width,
                                             size_t height) {
    auto array = std::make_shared<texel_array>(texel_array{format, {width, height, 0}, 0});
    array->data = static_cast<unsigned char*>(begin);
    return array;
}

// Whether memory begins where no texture may. A GPU's allocations begin well, so what counts is
// where in its allocation memory lies.
bool misplaced(const void* begin) {
    const memory_allocation* const known = find_allocation(begin);
    return (uintptr_t(begin) - (known ? known->begin : 0)) % hardware::texture_alignment != 0;
}

cudaError_t of_memory(const cudaResourceDesc& resource, texture_object& made) {
    const bool linear = resource.resType == cudaResourceTypeLinear;
    const auto& rows = resource.res.pitch2D;
    void* const begin = linear ? resource.res.linear.devPtr : rows.devPtr;
    texel_format format;
    if (!format_of(linear ? resource.res.linear.desc : rows.desc, &format))
        return cudaErrorInvalidChannelDescriptor;
    const auto texel_bytes = size_t(format.texel_bytes());
    const size_t width = linear ? resource.res.linear.sizeInBytes / texel_bytes : rows.width;
    const size_t bytes = linear ? resource.res.linear.sizeInBytes
                                : rows.pitchInBytes * (rows.height - 1) + width * texel_bytes;
    if (!begin || width == 0 || misplaced(begin)) return cudaErrorInvalidValue;
    if (!linear &&
        (rows.height == 0 || rows.pitchInBytes % hardware::texture_pitch_alignment ||
         rows.pitchInBytes < width * texel_bytes || rows.pitchInBytes > hardware::textures::pitch ||
         width > hardware::textures::pitched_width ||
         rows.height > hardware::textures::pitched_height))
        return cudaErrorInvalidValue;
    if (linear && width > hardware::textures::linear) return cudaErrorInvalidValue;
    if (!fits(begin, bytes)) return cudaErrorInvalidValue;
    made.linear = linear;
    made.pitch = linear ? 0 : rows.pitchInBytes;
    made.levels = {memory_as_array(begin, format, width, linear ? 0 : rows.height)};
    watch_under_texture(begin, bytes);
    return cudaSuccess;
}

cudaError_t levels_of(const cudaResourceDesc& resource, texture_object& made) {
    if (resource.resType == cudaResourceTypeArray) {
        const auto array = texel_arrays.find(resource.res.array.array);
        if (!array) return cudaErrorInvalidValue;
        made.levels = {array};
        return cudaSuccess;
    }
    if (resource.resType == cudaResourceTypeMipmappedArray) {
        const auto pyramid = mipmapped_arrays.find(resource.res.mipmap.mipmap);
        if (!pyramid) return cudaErrorInvalidValue;
        made.levels = pyramid->levels;
        return cudaSuccess;
    }
    const bool memory =
        resource.resType == cudaResourceTypeLinear || resource.resType == cudaResourceTypePitch2D;
    return memory ? of_memory(resource, made) : cudaErrorInvalidValue;
}

cudaError_t check_description(const cudaTextureDesc& d, const texel_array& array) {
    const bool whole = array.format.kind != abi::texel_float;
    const bool normalized = d.readMode == cudaReadModeNormalizedFloat;
    if (normalized && whole && array.format.bytes > 2) return cudaErrorInvalidNormSetting;
    if (d.filterMode == cudaFilterModeLinear && whole && !normalized)
        return cudaErrorInvalidFilterSetting;
    if (d.seamlessCubemap && !array.cube()) return cudaErrorInvalidValue;
    if (d.maxAnisotropy > 1) return lacking("anisotropic filters");
    return cudaSuccess;
}

}  // namespace

void forget_textures() {
    for (texture_object& one : all_textures) forget(one);
    for (surface_object& one : all_surfaces) forget(one);
}
texture_object* find_texture(unsigned long long object) { return numbered(all_textures, object); }
surface_object* find_surface(unsigned long long object) { return numbered(all_surfaces, object); }

}  // namespace emulator

using namespace emulator;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc* view) {
    return enter([=] {
        if (!object || !resource || !description) return cudaErrorInvalidValue;
        if (view && view->format != cudaResViewFormatNone) return lacking("resource views");
        texture_object made{*resource, *description, {}};
        cudaError_t error = levels_of(*resource, made);
        if (error == cudaSuccess) error = check_description(*description, *made.levels[0]);
        if (error != cudaSuccess) return error;
        all_textures.push_back(made);
        *object = all_textures.size();
        return cudaSuccess;
    });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    return enter([=] {
        if (object == 0) return cudaSuccess;
        texture_object* const found = find_texture(object);
        if (!found || found->destroyed) return cudaErrorInvalidValue;
        forget(*found);
        return cudaSuccess;
    });
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
    return look([=] {
        const texture_object* const found = find_texture(object);
        if (!resource || !found || found->destroyed) return cudaErrorInvalidValue;
        *resource = found->resource;
        return cudaSuccess;
    });
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description,
                                            cudaTextureObject_t object) {
    return look([=] {
        const texture_object* const found = find_texture(object);
        if (!description || !found || found->destroyed) return cudaErrorInvalidValue;
        *description = found->description;
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* most,
                                                 const cudaChannelFormatDesc* described, int) {
    return look([=] {
        texel_format format;
        if (!most || !described || !format_of(*described, &format)) return cudaErrorInvalidValue;
        *most = hardware::textures::linear;
        return cudaSuccess;
    });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
    return enter([=] {
        if (!object || !resource || resource->resType != cudaResourceTypeArray)
            return cudaErrorInvalidValue;
        const auto array = texel_arrays.find(resource->res.array.array);
        if (!array) return cudaErrorInvalidValue;
        all_surfaces.push_back({*resource, array});
        *object = all_surfaces.size();
        return cudaSuccess;
    });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
    return enter([=] {
        if (object == 0) return cudaSuccess;
        surface_object* const found = find_surface(object);
        if (!found || found->destroyed) return cudaErrorInvalidValue;
        forget(*found);
        return cudaSuccess;
    });
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t object) {
    return look([=] {
        const surface_object* const found = find_surface(object);
        if (!resource || !found || found->destroyed) return cudaErrorInvalidValue;
        *resource = found->resource;
        return cudaSuccess;
    });
}

}  // extern "C"
