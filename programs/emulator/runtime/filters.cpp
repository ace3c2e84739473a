#include "filters.hpp"

#include <cmath>

#include "cube_faces.hpp"

namespace emulator {

namespace {

void add(texel& sum, const texel& one, double share) {
    if (share == 0) return;  // and an infinite texel leaves no NaN
    for (int i = 0; i < 4; ++i) sum.parts[i] += one.parts[i] * (share / whole);
}

// Between two texels: the first one, and the weight of the second.
struct between {
    int64_t first;
    int weight;
};
between split(double at) {
    const auto parts = int64_t(std::floor((at - 0.5) * whole + 0.5));
    return {parts >> 8, int(parts & (whole - 1))};
}

// A part of a weight, rounded.
int part_of(int share, int weight) { return (share * weight + whole / 2) / whole; }

// The weights of four texels, as the GPU makes them: it divides a weight between right and left,
// then each of the two between lower and upper, and rounds each time. In pictures that an H200
// interpolated, of one level and of two, no other order and no other rounding gave each pixel.
struct weights {
    int upper_left, upper_right, lower_left, lower_right;

    weights(int share, int right, int below) {
        const int of_right = part_of(share, right), of_left = share - of_right;
        lower_right = part_of(of_right, below);
        upper_right = of_right - lower_right;
        upper_left = part_of(of_left, whole - below);
        lower_left = of_left - upper_left;
    }
    int operator[](int corner) const {
        return corner & 2 ? (corner & 1 ? lower_right : lower_left)
                          : (corner & 1 ? upper_right : upper_left);
    }
};

int64_t floor_of(double at) { return int64_t(std::floor(at)); }

void add_point(const texel_reader& reader, const texel_array& array, const texture_place& at,
               int share, texel& sum) {
    const int64_t slice = is_volume(array) ? floor_of(reader.scaled(array, 2, at.z)) : at.layer;
    add(sum,
        reader.addressed(array, {floor_of(reader.scaled(array, 0, at.x)),
                                 floor_of(reader.scaled(array, 1, at.y)), slice}),
        share);
}

void add_linear(const texel_reader& reader, const texel_array& array, const texture_place& at,
                int share, texel& sum) {
    const between x = split(reader.scaled(array, 0, at.x));
    const between y = array.extent.height ? split(reader.scaled(array, 1, at.y)) : between{0, 0};
    const between z =
        is_volume(array) ? split(reader.scaled(array, 2, at.z)) : between{at.layer, 0};
    const int farther = part_of(share, z.weight);
    for (int slice = 0; slice < 2; ++slice) {
        const weights part(slice ? farther : share - farther, x.weight, y.weight);
        for (int corner = 0; corner < 4; ++corner)
            if (part[corner])
                add(sum,
                    reader.addressed(
                        array, {x.first + (corner & 1), y.first + (corner >> 1), z.first + slice}),
                    part[corner]);
    }
}

void add_of_cube(const texel_reader& reader, const texel_array& array, const texture_place& at,
                 int share, texel& sum) {
    const cube_place to = cube_place_of(at.x, at.y, at.z);
    const auto side = int64_t(array.extent.width), cubes = int64_t(array.slices() / 6);
    const int64_t first_face = 6 * (at.layer < 0 || at.layer >= cubes ? cubes - 1 : at.layer);
    const double u = to.s * double(side), v = to.t * double(side);
    if (reader.how().filterMode == cudaFilterModePoint)
        return add(sum,
                   reader.held(array, {clamped(floor_of(u), side), clamped(floor_of(v), side),
                                       first_face + to.face}),
                   share);
    const between x = split(u), y = split(v);
    const weights part(share, x.weight, y.weight);
    texel corners;
    int met = 0, missing = 0;
    for (int corner = 0; corner < 4; ++corner) {
        int64_t column = x.first + (corner & 1), row = y.first + (corner >> 1);
        int face = to.face;
        if (!reader.how().seamlessCubemap) {
            column = clamped(column, side);
            row = clamped(row, side);
        } else if (!across_edge(&face, &column, &row, side)) {
            missing = part[corner];  // where three faces meet, there is no fourth texel
            continue;
        }
        const texel one = reader.held(array, {column, row, first_face + face});
        add(sum, one, part[corner]);
        add(corners, one, whole);
        ++met;
    }
    if (met == 3) add(sum, corners, missing / 3.0);
}

}  // namespace

void add_fetched(const texel_reader& reader, const texel_array& array, const texture_place& at,
                 int share, texel& sum) {
    if (share == 0) return;
    if (array.cube()) return add_of_cube(reader, array, at, share, sum);
    if (reader.how().filterMode == cudaFilterModeLinear)
        return add_linear(reader, array, at, share, sum);
    add_point(reader, array, at, share, sum);
}

texel gathered(const texel_reader& reader, const texel_array& array, double x, double y,
               int component) {
    if (component < 0 || component >= array.format.components)
        reader.wrong(cudaErrorIllegalAddress, "gathers component " + std::to_string(component) +
                                                  " of texels with " +
                                                  std::to_string(array.format.components));
    const int64_t left = split(reader.scaled(array, 0, x)).first;
    const int64_t upper = split(reader.scaled(array, 1, y)).first;
    const int64_t columns[] = {left, left + 1, left + 1, left};
    const int64_t rows[] = {upper + 1, upper + 1, upper, upper};
    texel four;
    for (int i = 0; i < 4; ++i)
        four.parts[i] = reader.addressed(array, {columns[i], rows[i], 0}).parts[component];
    return four;
}

}  // namespace emulator
