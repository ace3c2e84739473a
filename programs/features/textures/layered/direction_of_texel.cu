// The table of the faces leads from a direction to a face and a texel. Go the other
// way: a thread has a face, a column and a row, and must look in the direction of the
// center of that texel. Each texel holds its own number, so the thread sees whether it
// looked to the right place.

#include <cstddef>
#include <string>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int faces = 6;
constexpr int side = 16;  // texels of a side of a face

/// Looks at each texel from the center of the cube; a block for each face, a thread for
/// each texel.
/// @param cube   cubemap of ints
/// @param found  faces * side * side ints in device memory, written
__global__ void look_at_all(cudaTextureObject_t cube, int* found) {
    const int face = blockIdx.x, column = threadIdx.x, row = threadIdx.y;
    // [task]
    const float s = 2 * (column + 0.5f) / side - 1;  // of the center, from -1 to 1
    const float t = 2 * (row + 0.5f) / side - 1;
    float x = 0, y = 0, z = 0;
    switch (face) {
        case 0: x = 1, y = -t, z = -s; break;
        case 1: x = -1, y = -t, z = s; break;
        case 2: x = s, y = 1, z = t; break;
        case 3: x = s, y = -1, z = -t; break;
        case 4: x = s, y = -t, z = 1; break;
        case 5: x = -s, y = -t, z = -1; break;
    }
    //= given
    //| const float s = 2 * (column + 0.5f) / side - 1;  // of the center, from -1 to 1
    //| const float t = 2 * (row + 0.5f) / side - 1;
    //| // right for face 0; which direction has each of the others?
    //| float x = 1, y = -t, z = -s;
    //= mutant upside_down
    //| const float s = 2 * (column + 0.5f) / side - 1;
    //| const float t = 2 * (row + 0.5f) / side - 1;
    //| float x = 0, y = 0, z = 0;
    //| switch (face) {
    //|     case 0: x = 1, y = t, z = -s; break;
    //|     case 1: x = -1, y = t, z = s; break;
    //|     case 2: x = s, y = 1, z = -t; break;
    //|     case 3: x = s, y = -1, z = t; break;
    //|     case 4: x = s, y = t, z = 1; break;
    //|     case 5: x = -s, y = t, z = -1; break;
    //| }
    //= mutant poles_exchanged
    //| const float s = 2 * (column + 0.5f) / side - 1;
    //| const float t = 2 * (row + 0.5f) / side - 1;
    //| float x = 0, y = 0, z = 0;
    //| switch (face) {
    //|     case 0: x = 1, y = -t, z = -s; break;
    //|     case 1: x = -1, y = -t, z = s; break;
    //|     case 2: x = s, y = -1, z = -t; break;
    //|     case 3: x = s, y = 1, z = t; break;
    //|     case 4: x = s, y = -t, z = 1; break;
    //|     case 5: x = -s, y = -t, z = -1; break;
    //| }
    //= mutant next_texel
    //| const float s = 2 * (column + 1.5f) / side - 1;
    //| const float t = 2 * (row + 0.5f) / side - 1;
    //| float x = 0, y = 0, z = 0;
    //| switch (face) {
    //|     case 0: x = 1, y = -t, z = -s; break;
    //|     case 1: x = -1, y = -t, z = s; break;
    //|     case 2: x = s, y = 1, z = t; break;
    //|     case 3: x = s, y = -1, z = -t; break;
    //|     case 4: x = s, y = -t, z = 1; break;
    //|     case 5: x = -s, y = -t, z = -1; break;
    //| }
    // [/task]
    found[(face * side + row) * side + column] = texCubemap<int>(cube, x, y, z);
}

int main() {
    lockstep::require_device();

    std::vector<int> numbers(faces * side * side);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
    const cudaExtent extent = make_cudaExtent(side, side, faces);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array = nullptr;
    lockstep::check(cudaMalloc3DArray(&array, &format, extent, cudaArrayCubemap));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(numbers.data(), side * sizeof(int), side, side);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    lockstep::check(cudaMemcpy3D(&copy));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    for (cudaTextureAddressMode& mode : description.addressMode)
        mode = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    description.normalizedCoords = 1;
    cudaTextureObject_t cube = 0;
    lockstep::check(cudaCreateTextureObject(&cube, &resource, &description, nullptr));

    lockstep::device_buffer<int> d_found(numbers.size());
    d_found.fill_bytes(0xFF);
    look_at_all<<<faces, dim3(side, side)>>>(cube, d_found.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> found = d_found.to_host();
    lockstep::check(cudaDestroyTextureObject(cube));
    lockstep::check(cudaFreeArray(array));

    lockstep::exercise_verdict verdict;
    constexpr int texels = side * side;
    for (int face = 0; face < faces; ++face) {
        const auto of_face = [&](const std::vector<int>& all) {
            return std::vector<int>(all.begin() + face * texels,
                                    all.begin() + (face + 1) * texels);
        };
        verdict.equal(("texels of face " + std::to_string(face)).c_str(),
                      of_face(found), of_face(numbers));
    }
    return verdict.finish();
}
