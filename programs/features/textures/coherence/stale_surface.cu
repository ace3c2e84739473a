// Do surface reads see the surface writes of the same kernel? The documentation does
// not promise it, not even to the thread that wrote. Each thread reads an element
// through a surface, writes another value, and reads again: through the surface, and
// through a texture of the same array. A second launch then reads what is there.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 256;  // elements, one for each thread
constexpr int old_value = 1, new_value = 2;

/// What a thread read.
struct seen {
    int first_by_surface, first_by_texture, by_surface, by_texture;
};

// [kernel]
/// Reads, writes and reads again; one block of n threads.
/// @param surface  of n ints
/// @param texels   texture of the same array
/// @param zero     one int in device memory, 0
/// @param values   n results in device memory, written
__global__ void read_write_read(cudaSurfaceObject_t surface, cudaTextureObject_t texels,
                                const volatile int* zero, seen* values) {
    const int i = threadIdx.x, bytes = i * int(sizeof(int));
    const int fetched = tex2D<int>(texels, i + 0.5f, 0.5f);
    const int read = surf2Dread<int>(surface, bytes, 0);
    values[i].first_by_texture = fetched;
    values[i].first_by_surface = read;
    __syncthreads_count(fetched + read);  // needs the values, so the reads are complete
    surf2Dwrite(new_value, surface, bytes, 0);
    __syncthreads();
    const int later = *zero;  // so that no read can move up
    values[i].by_surface = surf2Dread<int>(surface, bytes + later, 0);
    values[i].by_texture = tex2D<int>(texels, i + later + 0.5f, 0.5f);
}
// [/kernel]

/// Reads all elements in both ways; one block of n threads.
/// @param surface  of n ints
/// @param texels   texture of the same array
/// @param values   n results in device memory, written
__global__ void next_launch(cudaSurfaceObject_t surface, cudaTextureObject_t texels,
                            seen* values) {
    const int i = threadIdx.x;
    values[i].by_surface = surf2Dread<int>(surface, i * int(sizeof(int)), 0);
    values[i].by_texture = tex2D<int>(texels, i + 0.5f, 0.5f);
}
int main() {
    lockstep::require_device();

    std::vector<int> old_values(n, old_value);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array = nullptr;
    lockstep::check(cudaMallocArray(&array, &format, n, 1, cudaArraySurfaceLoadStore));
    constexpr std::size_t row_bytes = n * sizeof(int);
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, old_values.data(), row_bytes,
                                        row_bytes, 1, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    lockstep::check(cudaCreateSurfaceObject(&surface, &resource));
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texels = 0;
    lockstep::check(cudaCreateTextureObject(&texels, &resource, &description, nullptr));

    lockstep::device_buffer<seen> d_same(n), d_next(n);
    lockstep::device_buffer<int> d_zero(1);
    d_zero.fill_bytes(0);
    d_same.fill_bytes(0xFF);
    d_next.fill_bytes(0xFF);
    read_write_read<<<1, n>>>(surface, texels, d_zero.data(), d_same.data());
    lockstep::check(cudaGetLastError());
    next_launch<<<1, n>>>(surface, texels, d_next.data());
    lockstep::check(cudaGetLastError());
    const std::vector<seen> same = d_same.to_host(), next = d_next.to_host();
    lockstep::check(cudaDestroySurfaceObject(surface));
    lockstep::check(cudaDestroyTextureObject(texels));
    lockstep::check(cudaFreeArray(array));

    int old_surface = 0, old_texture = 0, old_next = 0;
    bool right = true;
    for (int i = 0; i < n; ++i) {
        old_surface += same[i].by_surface == old_value;
        old_texture += same[i].by_texture == old_value;
        old_next += next[i].by_surface == old_value || next[i].by_texture == old_value;
        right = right && same[i].first_by_surface == old_value &&
                same[i].first_by_texture == old_value &&
                next[i].by_surface == new_value && next[i].by_texture == new_value;
    }
    lockstep::report("elements", n);
    lockstep::report("old, by surface", lockstep::counted{old_surface});
    lockstep::report("old, by texture", lockstep::counted{old_texture});
    lockstep::report("old, next launch", old_next);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
