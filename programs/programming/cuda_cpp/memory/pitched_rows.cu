// How does a kernel use an array whose rows are padded? cudaMallocPitch returns the
// pitch, the number of bytes from one row to the next. The kernel finds the start of
// its row by it, and cudaMemcpy2D takes a pitch for each side of a copy.

#include <cstddef>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Doubles each element of an image.
/// @param width   elements in a row
/// @param height  number of rows
/// @param image   the rows in device memory, changed in place
/// @param pitch   bytes from the start of a row to the start of the next
__global__ void double_pixels(int width, int height, float* image, std::size_t pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    char* start = reinterpret_cast<char*>(image) + row * pitch;  // pitch is in bytes
    float* pixels = reinterpret_cast<float*>(start);
    pixels[column] *= 2;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int width = options.integer("width", 100, 1, 4096);
    const int height = options.integer("height", 60, 1, 4096);
    options.finish();
    lockstep::require_device();

    std::vector<float> image(std::size_t(width) * height);
    std::vector<float> expected(image.size());
    for (std::size_t i = 0; i < image.size(); ++i) {
        image[i] = static_cast<float>(i);
        expected[i] = static_cast<float>(2 * i);
    }

    // [allocate]
    const std::size_t row_bytes = width * sizeof(float);
    float* d_image = nullptr;
    std::size_t pitch = 0;
    lockstep::check(cudaMallocPitch(&d_image, &pitch, row_bytes, height));
    // [/allocate]

    // [copy-in]
    // to, pitch there, from, pitch there, bytes of a row, rows, direction
    lockstep::check(cudaMemcpy2D(d_image, pitch, image.data(), row_bytes, row_bytes,
                                 height, cudaMemcpyHostToDevice));
    // [/copy-in]

    const dim3 block(32, 8);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    double_pixels<<<grid, block>>>(width, height, d_image, pitch);
    lockstep::check(cudaGetLastError());

    // [copy-out]
    std::vector<float> result(image.size(), -1.0F);
    lockstep::check(cudaMemcpy2D(result.data(), row_bytes, d_image, pitch, row_bytes,
                                 height, cudaMemcpyDeviceToHost));
    lockstep::check(cudaFree(d_image));
    // [/copy-out]

    const std::size_t wrong = lockstep::count_mismatches(result, expected);
    lockstep::report("bytes of a row", row_bytes);
    lockstep::report("pitch", pitch, "bytes");
    lockstep::report("wrong elements", wrong);
    return wrong == 0 && pitch >= row_bytes ? EXIT_SUCCESS : EXIT_FAILURE;
}
