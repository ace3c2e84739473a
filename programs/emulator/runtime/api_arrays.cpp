// CUDA arrays and mipmapped arrays: allocated, freed, asked about, copied to and from.

#include "captures.hpp"
#include "copies.hpp"
#include "memory.hpp"
#include "texel_arrays.hpp"

using namespace emulator;

namespace {

constexpr unsigned known_flags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;

// What an extent may be, by the shape that the flags and the dimensions say.
bool possible(const cudaExtent& size, unsigned flags) {
    namespace most = hardware::textures;
    const auto within = [&](size_t width, size_t height, size_t depth) {
        return size.width <= width && size.height <= height && size.depth <= depth;
    };
    if (size.width == 0) return false;
    if (flags & cudaArrayCubemap) {
        const bool layered = flags & cudaArrayLayered;
        return size.width == size.height && size.depth % 6 == 0 &&
               (layered ? size.depth > 0 : size.depth == 6) &&
               within(most::cube, most::cube, most::cube_layers);
    }
    if (flags & cudaArrayLayered)
        return size.depth > 0 && within(most::layered, most::layered, most::layers);
    if (size.depth) return size.height > 0 && within(most::volume, most::volume, most::volume);
    return within(most::width, most::height, 0);
}

cudaError_t make(const cudaChannelFormatDesc* described, const cudaExtent& size, unsigned flags,
                 std::shared_ptr<texel_array>* made) {
    if (!described) return cudaErrorInvalidValue;
    texel_format format;
    if (!format_of(*described, &format)) return cudaErrorInvalidChannelDescriptor;
    if (flags & ~known_flags) return cudaErrorNotSupported;
    if (!possible(size, flags)) return cudaErrorInvalidValue;
    auto array = std::make_shared<texel_array>(texel_array{format, size, flags});
    array->data = static_cast<unsigned char*>(allocate(array->bytes(), device_memory));
    if (!array->data) return cudaErrorMemoryAllocation;
    *made = array;
    return cudaSuccess;
}

void give_back(texel_array& array) {
    release(array.data);
    array.data = nullptr;
    array.written.clear();
}

// The copy of rows between memory and an array; offsets and widths in bytes.
cudaError_t copy_rows(cudaArray_const_t handle, size_t x, size_t y, void* memory, size_t pitch,
                      size_t width, size_t height, cudaMemcpyKind kind, bool to_array,
                      cudaStream_t stream_handle, bool wait) {
    return in_stream(stream_handle, [=](device_stream& stream) {
        const std::shared_ptr<texel_array> array =
            texel_arrays.find(const_cast<cudaArray_t>(handle));
        if (!array || !array->data) return cudaErrorInvalidResourceHandle;
        if (x + width > array->row_bytes() || y + height > array->rows())
            return cudaErrorInvalidValue;
        unsigned char* const begin = array->data + y * array->row_bytes() + x;
        return to_array ? copy(begin, array->row_bytes(), memory, pitch, width, height, kind,
                               stream, wait)
                        : copy(memory, pitch, begin, array->row_bytes(), width, height, kind,
                               stream, wait);
    });
}

}  // namespace

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* described, cudaArray_const_t handle) {
    return look([=] {
        const auto array = texel_arrays.find(const_cast<cudaArray_t>(handle));
        if (!described || !array) return cudaErrorInvalidValue;
        *described = array->format.described;
        return cudaSuccess;
    });
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* described, cudaExtent* extent, unsigned* flags,
                             cudaArray_t handle) {
    return look([=] {
        const auto array = texel_arrays.find(handle);
        if (!array) return cudaErrorInvalidResourceHandle;
        if (described) *described = array->format.described;
        if (extent) *extent = array->extent;
        if (flags) *flags = array->flags;
        return cudaSuccess;
    });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* handle, const cudaChannelFormatDesc* described,
                              cudaExtent size, unsigned flags) {
    return between_captures([=] {
        std::shared_ptr<texel_array> array;
        if (!handle) return cudaErrorInvalidValue;
        const cudaError_t error = make(described, size, flags, &array);
        if (error == cudaSuccess) *handle = texel_arrays.add(array);
        return error;
    });
}
cudaError_t cudaMallocArray(cudaArray_t* handle, const cudaChannelFormatDesc* described,
                            size_t width, size_t height, unsigned flags) {
    return cudaMalloc3DArray(handle, described, {width, height, 0}, flags);
}
cudaError_t cudaFreeArray(cudaArray_t handle) {
    return between_captures([=] {
        if (!handle) return cudaSuccess;
        const cudaError_t before = finished(nullptr);
        if (before != cudaSuccess) return before;
        const auto array = texel_arrays.find(handle);
        if (!array) return cudaErrorInvalidValue;
        give_back(*array);
        texel_arrays.remove(handle);
        return cudaSuccess;
    });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* handle,
                                     const cudaChannelFormatDesc* described, cudaExtent size,
                                     unsigned levels, unsigned flags) {
    return between_captures([=] {
        if (!handle || levels == 0) return cudaErrorInvalidValue;
        auto pyramid = std::make_shared<mipmapped_array>();
        const bool layers = flags & (cudaArrayLayered | cudaArrayCubemap);
        const auto half = [](size_t n) { return n > 1 ? n / 2 : n; };
        const auto largest = [&] {
            const size_t side = size.width > size.height ? size.width : size.height;
            return layers || size.depth < side ? side : size.depth;
        };
        cudaExtent left = size;
        size_t most = 1;
        for (size_t side = largest(); side > 1; side /= 2) ++most;
        for (unsigned level = 0; level < levels && level < most; ++level) {
            std::shared_ptr<texel_array> array;
            const cudaError_t error = make(described, left, flags, &array);
            if (error != cudaSuccess) {
                for (const auto& made : pyramid->levels) give_back(*made);
                return error;
            }
            pyramid->levels.push_back(array);
            left = {half(left.width), half(left.height), layers ? left.depth : half(left.depth)};
        }
        for (const auto& level : pyramid->levels)
            pyramid->handles.push_back(texel_arrays.add(level));
        *handle = mipmapped_arrays.add(pyramid);
        return cudaSuccess;
    });
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t handle,
                                       unsigned number) {
    return look([=] {
        const auto pyramid = mipmapped_arrays.find(const_cast<cudaMipmappedArray_t>(handle));
        if (!pyramid) return cudaErrorInvalidResourceHandle;
        if (!level || number >= pyramid->handles.size()) return cudaErrorInvalidValue;
        *level = pyramid->handles[number];
        return cudaSuccess;
    });
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t handle) {
    return between_captures([=] {
        if (!handle) return cudaSuccess;
        const cudaError_t before = finished(nullptr);
        if (before != cudaSuccess) return before;
        const auto pyramid = mipmapped_arrays.find(handle);
        if (!pyramid) return cudaErrorInvalidValue;
        for (const auto& level : pyramid->levels) give_back(*level);
        for (const cudaArray_t level : pyramid->handles) texel_arrays.remove(level);
        mipmapped_arrays.remove(handle);
        return cudaSuccess;
    });
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
    return copy_rows(to, x, y, const_cast<void*>(from), pitch, width, height, kind, true, nullptr,
                     true);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
    return copy_rows(to, x, y, const_cast<void*>(from), pitch, width, height, kind, true, stream,
                     false);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
    return copy_rows(from, x, y, to, pitch, width, height, kind, false, nullptr, true);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
    return copy_rows(from, x, y, to, pitch, width, height, kind, false, stream, false);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t x, size_t y, size_t width,
                                     size_t height, cudaMemcpyKind kind) {
    return in_stream(nullptr, [=](device_stream& stream) {
        const auto target = texel_arrays.find(to);
        const auto source = texel_arrays.find(const_cast<cudaArray_t>(from));
        if (!target || !source || !target->data || !source->data)
            return cudaErrorInvalidResourceHandle;
        const auto fits_in = [&](const texel_array& array, size_t left, size_t top) {
            return left + width <= array.row_bytes() && top + height <= array.rows();
        };
        if (!fits_in(*target, to_x, to_y) || !fits_in(*source, x, y)) return cudaErrorInvalidValue;
        return copy(target->data + to_y * target->row_bytes() + to_x, target->row_bytes(),
                    source->data + y * source->row_bytes() + x, source->row_bytes(), width, height,
                    kind, stream, true);
    });
}

}  // extern "C"
