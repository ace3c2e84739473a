// Which face of a cubemap does a direction hit, and where? The texels of this cubemap
// hold their own number. A kernel looks around in all directions, as a panorama does,
// and the host finds face and texel again by the table of the faces.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/pixmap.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/test_picture.hpp>

constexpr int faces = 6;
constexpr int side = 64;  // texels of a side of a face
constexpr int width = 512, height = 256;  // of the panorama
constexpr int block_size = 256;

// [kernel]
/// Fetches a texel for each direction; a thread for each.
/// @param n           number of directions
/// @param cube        cubemap of ints
/// @param directions  n directions of any length in device memory; w is not used
/// @param texels      n ints in device memory, written
__global__ void look(int n, cudaTextureObject_t cube, const float4* directions,
                     int* texels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 to = directions[i];
    texels[i] = texCubemap<int>(cube, to.x, to.y, to.z);
}
// [/kernel]

/// Where a direction meets the cube.
struct hit {
    int face;
    float u, v;  ///< in the face, from 0 to 1: to the right, and down
};

// [table]
/// The face that a direction hits, and the place in it.
hit find(float4 to) {
    const float ax = std::fabs(to.x), ay = std::fabs(to.y), az = std::fabs(to.z);
    int face;
    float m, s, t;
    if (ax >= ay && ax >= az) {
        face = to.x >= 0 ? 0 : 1;
        m = ax, s = to.x >= 0 ? -to.z : to.z, t = -to.y;
    } else if (ay >= az) {
        face = to.y >= 0 ? 2 : 3;
        m = ay, s = to.x, t = to.y >= 0 ? to.z : -to.z;
    } else {
        face = to.z >= 0 ? 4 : 5;
        m = az, s = to.z >= 0 ? to.x : -to.x, t = -to.y;
    }
    return {face, (s / m + 1) / 2, (t / m + 1) / 2};
}
// [/table]

/// Whether a coordinate of a face lies clearly inside one texel, not at its border.
bool inside(float coordinate) {
    const float texel = coordinate * side;
    return std::fabs(texel - std::round(texel)) > 0.02f;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool pictures = options.flag("pictures");
    options.finish();
    lockstep::require_device();

    std::vector<int> numbers(faces * side * side);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
    // [array]
    const cudaExtent extent = make_cudaExtent(side, side, faces);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array = nullptr;
    lockstep::check(cudaMalloc3DArray(&array, &format, extent, cudaArrayCubemap));
    // [/array]
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

    // [directions]
    std::vector<float4> directions;
    constexpr float pi = 3.14159265f;
    for (int row = 0; row < height; ++row) {
        const float up = pi * (0.5f - (row + 0.5f) / height);  // latitude
        for (int column = 0; column < width; ++column) {
            const float around = 2 * pi * (column + 0.5f) / width;  // longitude
            directions.push_back({-std::cos(up) * std::sin(around), std::sin(up),
                                  -std::cos(up) * std::cos(around), 0});
        }
    }
    // [/directions]
    constexpr int panorama = width * height;
    const std::vector<float4> special = {{1, 0, 0, 0},     {-1, 0, 0, 0}, {0, 1, 0, 0},
                                         {0, -1, 0, 0},    {0, 0, 1, 0},  {0, 0, -1, 0},
                                         {0.01f, 0, 0, 0}, {1, 1, 0, 0},  {1, 0, 1, 0},
                                         {0, 1, 1, 0},     {1, 1, 1, 0}};
    const char* labels[] = {
        "face of (1, 0, 0)",    "face of (-1, 0, 0)", "face of (0, 1, 0)",
        "face of (0, -1, 0)",   "face of (0, 0, 1)",  "face of (0, 0, -1)",
        "face of (0.01, 0, 0)", "face of (1, 1, 0)",  "face of (1, 0, 1)",
        "face of (0, 1, 1)",    "face of (1, 1, 1)"};
    directions.insert(directions.end(), special.begin(), special.end());

    const int n = static_cast<int>(directions.size());
    const lockstep::device_buffer<float4> d_directions(directions);
    lockstep::device_buffer<int> d_texels(directions.size());
    d_texels.fill_bytes(0xFF);
    look<<<(n + block_size - 1) / block_size, block_size>>>(
        n, cube, d_directions.data(), d_texels.data());
    lockstep::check(cudaGetLastError());
    const std::vector<int> texels = d_texels.to_host();

    int compared = 0, wrong_faces = 0, wrong_texels = 0;
    for (int i = 0; i < panorama; ++i) {
        const hit at = find(directions[i]);
        if (!inside(at.u) || !inside(at.v)) continue;
        const int x = static_cast<int>(at.u * side), y = static_cast<int>(at.v * side);
        ++compared;
        wrong_faces += texels[i] / (side * side) != at.face;
        wrong_texels += texels[i] != (at.face * side + y) * side + x;
    }
    bool axes = true;
    for (std::size_t i = 0; i < special.size(); ++i) {
        const int face = texels[panorama + i] / (side * side);
        lockstep::report(labels[i], face);
        if (i < faces) axes = axes && face == static_cast<int>(i);
    }
    lockstep::report("directions compared", compared);
    lockstep::report("in another face", wrong_faces);
    lockstep::report("in another texel", wrong_texels);

    if (pictures) {
        // each face shows the test picture, in a color of its own
        constexpr unsigned char colors[faces][3] = {{255, 90, 80},  {255, 170, 60},
                                                    {80, 190, 255}, {90, 110, 255},
                                                    {90, 210, 110}, {190, 110, 255}};
        std::vector<unsigned char> rgb;
        for (int i = 0; i < panorama; ++i) {
            const int face = std::min(texels[i] / (side * side), faces - 1);
            const uchar4 texel = lockstep::picture_texel(texels[i] % side,
                                                         texels[i] / side % side, side);
            for (const int component : {0, 1, 2}) {
                const int of_picture = component == 0   ? texel.x
                                       : component == 1 ? texel.y
                                                        : texel.z;
                rgb.push_back(static_cast<unsigned char>(
                    (of_picture + colors[face][component]) / 2));
            }
        }
        lockstep::write_pixmap("faces.ppm", width, height, rgb);
    }
    lockstep::check(cudaDestroyTextureObject(cube));
    lockstep::check(cudaFreeArray(array));
    return axes && compared > panorama / 2 && wrong_texels == 0 ? EXIT_SUCCESS
                                                                : EXIT_FAILURE;
}
