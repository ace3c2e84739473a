// A window of a large picture on the host, 24 columns and 16 rows, is to replace part
// of a picture in a CUDA array. Write the copy. Mind the units: which of its numbers
// are in bytes, and which in rows?

#include <cstddef>
#include <vector>

#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

constexpr int side = 64;                    // texels of a side, of both pictures
constexpr int columns = 24, rows = 16;      // of the window
constexpr int from_x = 20, from_y = 30;     // where it begins in the host's picture
constexpr int to_x = 8, to_y = 4;           // where it goes in the array

int main() {
    lockstep::require_device();

    std::vector<uchar4> picture(side * side), before(side * side);
    for (int i = 0; i < side * side; ++i) {
        const auto column = static_cast<unsigned char>(i % side);
        const auto row = static_cast<unsigned char>(i / side);
        picture[i] = {column, row, 1, 255};
        before[i] = {column, row, 2, 255};
    }
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    constexpr std::size_t row_bytes = side * sizeof(uchar4);
    cudaArray_t array = nullptr;
    lockstep::check(cudaMallocArray(&array, &format, side, side));
    lockstep::check(cudaMemcpy2DToArray(array, 0, 0, before.data(), row_bytes,
                                        row_bytes, side, cudaMemcpyHostToDevice));
    const uchar4* window = &picture[from_y * side + from_x];
    // [task]
    lockstep::check(cudaMemcpy2DToArray(array, to_x * sizeof(uchar4), to_y, window,
                                        row_bytes, columns * sizeof(uchar4), rows,
                                        cudaMemcpyHostToDevice));
    //= given
    //| lockstep::check(cudaMemcpy2DToArray(array, to_x, to_y, window, row_bytes,
    //|                                     columns, rows, cudaMemcpyHostToDevice));
    //= mutant offset_in_texels
    //| lockstep::check(cudaMemcpy2DToArray(array, to_x, to_y, window, row_bytes,
    //|                                     columns * sizeof(uchar4), rows,
    //|                                     cudaMemcpyHostToDevice));
    //= mutant packed_window
    //| lockstep::check(cudaMemcpy2DToArray(array, to_x * sizeof(uchar4), to_y, window,
    //|                                     columns * sizeof(uchar4),
    //|                                     columns * sizeof(uchar4), rows,
    //|                                     cudaMemcpyHostToDevice));
    //= mutant row_offset_in_bytes
    //| lockstep::check(cudaMemcpy2DToArray(array, to_x * sizeof(uchar4),
    //|                                     to_y * sizeof(uchar4), window, row_bytes,
    //|                                     columns * sizeof(uchar4), rows,
    //|                                     cudaMemcpyHostToDevice));
    // [/task]
    std::vector<uchar4> after(side * side);
    lockstep::check(cudaMemcpy2DFromArray(after.data(), row_bytes, array, 0, 0,
                                          row_bytes, side, cudaMemcpyDeviceToHost));
    lockstep::check(cudaFreeArray(array));

    // a texel as one number: column, row and picture
    std::vector<int> inside, wanted_inside, outside, wanted_outside;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            const bool in =
                x >= to_x && x < to_x + columns && y >= to_y && y < to_y + rows;
            const uchar4 wanted =
                in ? picture[(y - to_y + from_y) * side + x - to_x + from_x]
                   : before[y * side + x];
            const uchar4 texel = after[y * side + x];
            (in ? inside : outside)
                .push_back(10'000 * texel.x + 10 * texel.y + texel.z);
            (in ? wanted_inside : wanted_outside)
                .push_back(10'000 * wanted.x + 10 * wanted.y + wanted.z);
        }
    lockstep::exercise_verdict verdict;
    verdict.equal("texels of the window", inside, wanted_inside);
    verdict.equal("texels around it", outside, wanted_outside);
    return verdict.finish();
}
