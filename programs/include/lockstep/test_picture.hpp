#pragma once
/// @file
/// A picture that is computed: gradients, sharp edges, thin spokes and letters.

#include <cmath>
#include <cstddef>
#include <vector>

#include <cuda_runtime.h>

namespace lockstep {

/// The texel of the test picture in a column and a row, as red, green, blue and 255.
///
/// The background is a gradient: red grows to the right, blue downwards. On it lie a
/// frame, spokes that become thinner toward their center, a checkerboard, and the
/// letters CUDA. All sizes follow the side.
/// @param x, y  column from the left and row from the top, from 0 to side - 1
/// @param side  texels of a side, a multiple of 64
inline uchar4 picture_texel(int x, int y, int side) {
    const int unit = side / 64;  // all below is in sixty-fourths of the side
    const int u = x / unit, v = y / unit;
    if (u < 2 || v < 2 || u >= 62 || v >= 62) return {255, 176, 0, 255};  // the frame
    // four letters of 5 by 7 dots; the bits of a number are the dots of a row
    constexpr unsigned char letters[4][7] = {{14, 17, 16, 16, 16, 17, 14},
                                             {17, 17, 17, 17, 17, 17, 14},
                                             {30, 17, 17, 17, 17, 17, 30},
                                             {14, 17, 17, 31, 17, 17, 17}};
    if (u >= 6 && u < 54 && v >= 6 && v < 20) {
        const int letter = (u - 6) / 12, column = (u - 6) % 12 / 2, row = (v - 6) / 2;
        if (column < 5 && (letters[letter][row] >> (4 - column) & 1))
            return {250, 250, 250, 255};
    }
    if (u >= 36 && u < 58 && v >= 28 && v < 50) {
        const unsigned char gray = (u / 2 + v / 2) % 2 ? 30 : 220;
        return {gray, gray, gray, 255};
    }
    const float dx = x + 0.5f - side * 0.29f, dy = y + 0.5f - side * 0.64f;
    if (dx * dx + dy * dy < side * side * 0.05f) {
        const int spoke = static_cast<int>(std::floor(std::atan2(dy, dx) * 11.4592f));
        return spoke & 1 ? uchar4{20, 20, 60, 255} : uchar4{230, 240, 255, 255};
    }
    return {static_cast<unsigned char>(40 + 160 * x / side), 90,
            static_cast<unsigned char>(60 + 160 * y / side), 255};
}

/// The test picture, row by row from the top.
/// @param side  texels of a side, a multiple of 64
inline std::vector<uchar4> test_picture(int side) {
    std::vector<uchar4> texels(std::size_t(side) * side);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
            texels[std::size_t(y) * side + x] = picture_texel(x, y, side);
    return texels;
}

}  // namespace lockstep
