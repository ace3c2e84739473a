#include "cube_faces.hpp"

#include <cmath>

namespace emulator {

cube_place cube_place_of(double x, double y, double z) {
    const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    double s, t, along;
    int face;
    // Where two are equal, z goes before y, and y before x.
    if (az >= ax && az >= ay) {
        face = z < 0 ? 5 : 4, along = az, s = z < 0 ? -x : x, t = -y;
    } else if (ay >= ax) {
        face = y < 0 ? 3 : 2, along = ay, s = x, t = y < 0 ? -z : z;
    } else {
        face = x < 0 ? 1 : 0, along = ax, s = x < 0 ? z : -z, t = -y;
    }
    if (along == 0) return {face, 0.5, 0.5};
    return {face, (s / along + 1) / 2, (t / along + 1) / 2};
}

bool across_edge(int* face, int64_t* x, int64_t* y, int64_t side) {
    const bool beyond_x = *x < 0 || *x >= side, beyond_y = *y < 0 || *y >= side;
    if (!beyond_x && !beyond_y) return true;
    if (beyond_x && beyond_y) return false;
    // The middle of the texel, on the plane of its own face, seen from the cube's middle.
    const double s = 2 * (double(*x) + 0.5) / double(side) - 1;
    const double t = 2 * (double(*y) + 0.5) / double(side) - 1;
    double at[3];
    switch (*face) {
        case 0: at[0] = 1, at[1] = -t, at[2] = -s; break;
        case 1: at[0] = -1, at[1] = -t, at[2] = s; break;
        case 2: at[0] = s, at[1] = 1, at[2] = t; break;
        case 3: at[0] = s, at[1] = -1, at[2] = -t; break;
        case 4: at[0] = s, at[1] = -t, at[2] = 1; break;
        default: at[0] = -s, at[1] = -t, at[2] = -1; break;
    }
    const cube_place there = cube_place_of(at[0], at[1], at[2]);
    const auto index = [side](double u) {
        const auto i = int64_t(std::floor(u * double(side)));
        return i < 0 ? 0 : i >= side ? side - 1 : i;
    };
    *face = there.face;
    *x = index(there.s);
    *y = index(there.t);
    return true;
}

}  // namespace emulator
