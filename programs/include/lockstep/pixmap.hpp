#pragma once
/// @file
/// Writes a picture as a binary portable pixmap, whole or not at all.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace lockstep {

/// Writes a picture in color as a binary portable pixmap, format P6. The file gets its
/// name when it is complete; if it cannot be written, one line on standard error says
/// so, and the program ends with status 1.
/// @param file           where the picture goes, as "rotated.ppm"
/// @param width, height  pixels of a row, and of a column
/// @param rgb            red, green and blue of each pixel, row by row from the top
inline void write_pixmap(const std::string& file, int width, int height,
                         const std::vector<unsigned char>& rgb) {
    bool written = rgb.size() == std::size_t(3) * width * height;
    std::FILE* part = written ? std::fopen((file + ".part").c_str(), "wb") : nullptr;
    if (part) {
        std::fprintf(part, "P6\n%d %d\n255\n", width, height);
        written = std::fwrite(rgb.data(), 1, rgb.size(), part) == rgb.size();
        written = std::fclose(part) == 0 && written;
    }
    if (part && written && std::rename((file + ".part").c_str(), file.c_str()) == 0)
        return;
    std::fprintf(stderr, "cannot write %s\n", file.c_str());
    std::exit(EXIT_FAILURE);
}

}  // namespace lockstep
