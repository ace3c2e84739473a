// How does one copy a rectangle out of a picture without waiting? cudaMemcpy2DAsync
// takes the distance between rows (the pitch) of either side, the width of the
// rectangle in bytes, its height in rows, and a stream. Here a rectangle goes to the
// device, packed, and comes back to the same place of an empty picture.

#include <cstdio>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main(int argc, char** argv) {
    constexpr int rows = 6;
    constexpr int columns = 10;
    lockstep::command_line options(argc, argv);
    const int top = options.integer("top", 1, 0, rows - 1);
    const int left = options.integer("left", 3, 0, columns - 1);
    const int height = options.integer("height", 3, 1, rows - top);
    const int width = options.integer("width", 4, 1, columns - left);
    const bool count_elements = options.flag("count-elements");
    options.finish();
    lockstep::require_device();

    int* picture = nullptr;
    int* empty = nullptr;
    lockstep::check(cudaMallocHost(&picture, rows * columns * sizeof(int)));
    lockstep::check(cudaMallocHost(&empty, rows * columns * sizeof(int)));
    for (int i = 0; i < rows * columns; ++i) {
        picture[i] = i;
        empty[i] = -1;
    }
    lockstep::device_buffer<int> d_rectangle(height * width);
    d_rectangle.fill_bytes(0xFF);
    lockstep::check(cudaDeviceSynchronize());
    const lockstep::owned_stream stream(cudaStreamDefault);

    // [pitches]
    // bytes from one row to the next
    const std::size_t picture_pitch = columns * sizeof(int);
    const std::size_t packed_pitch = width * sizeof(int);
    std::size_t row_bytes = width * sizeof(int);  // of the rectangle
    const int corner = top * columns + left;
    // [/pitches]
    if (count_elements) row_bytes = width;  // the mistake: elements, not bytes
    // [copy]
    lockstep::check(cudaMemcpy2DAsync(d_rectangle.data(), packed_pitch,
                                      picture + corner, picture_pitch, row_bytes,
                                      height, cudaMemcpyHostToDevice, stream));
    lockstep::check(cudaMemcpy2DAsync(empty + corner, picture_pitch, d_rectangle.data(),
                                      packed_pitch, row_bytes, height,
                                      cudaMemcpyDeviceToHost, stream));
    lockstep::check(cudaStreamSynchronize(stream));
    // [/copy]

    int right = 0;
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const int found = empty[row * columns + column];
            const bool inside = row >= top && row < top + height && column >= left &&
                                column < left + width;
            right += found == (inside ? row * columns + column : -1);
            if (found < 0)
                std::printf("  .");
            else
                std::printf(" %2d", found);
        }
        std::printf("\n");
    }
    lockstep::report("right, of 60 elements", right);
    lockstep::check(cudaFreeHost(picture));
    lockstep::check(cudaFreeHost(empty));
    return (right == rows * columns) != count_elements || width == 1 ? EXIT_SUCCESS
                                                                     : EXIT_FAILURE;
}
