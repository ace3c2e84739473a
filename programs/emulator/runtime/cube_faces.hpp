// Faces of cubemaps: which one a direction meets, and what lies beyond the edge of one.
#pragma once

#include <cstdint>

namespace emulator {

// Where a direction leads: a face, and the place on it in [0, 1].
struct cube_place {
    int face;
    double s, t;
};
cube_place cube_place_of(double x, double y, double z);
// The texel that continues a face of `side` texels beyond its edge; false at a corner, where none
// does.
bool across_edge(int* face, int64_t* x, int64_t* y, int64_t side);

}  // namespace emulator
