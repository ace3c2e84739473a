// Writes a picture and a table, and finds neither before.

#include <cstdio>

int main() {
    if (std::fopen("red.ppm", "rb")) return 1;
    std::FILE* table = std::fopen("numbers.csv", "w");
    std::FILE* picture = std::fopen("red.ppm.part", "wb");
    if (!table || !picture) return 2;
    const unsigned char pixels[] = {10, 20, 30, 40, 50, 60};
    std::fprintf(picture, "P6\n2 1\n255\n");
    std::fprintf(table, "1,2\n");
    if (std::fwrite(pixels, 1, sizeof pixels, picture) != sizeof pixels) return 3;
    if (std::fclose(table) != 0 || std::fclose(picture) != 0) return 4;
    return std::rename("red.ppm.part", "red.ppm") == 0 ? 0 : 5;
}
