// One step of heat that spreads along the rows of a bar: the work that the programs
// here divide.

#pragma once

// [kernel]
/// One step on some rows: each cell becomes the mean of those above and below. The
/// first and the last row of all stay.
/// @param width   cells of a row
/// @param rows    of this part
/// @param above   the row above the first; nullptr if the first is the first of all
/// @param below   the row below the last; nullptr if the last is the last of all
/// @param before  rows x width cells in device memory
/// @param after   rows x width cells in device memory, written
static __global__ void spread_heat(int width, int rows, const float* above,
                                   const float* below, const float* before,
                                   float* after) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y;
    if (column >= width) return;
    const float* up = row > 0 ? before + (row - 1) * width : above;
    const float* down = row + 1 < rows ? before + (row + 1) * width : below;
    const int i = row * width + column;
    after[i] = up && down ? 0.5F * (up[column] + down[column]) : before[i];
}
// [/kernel]
