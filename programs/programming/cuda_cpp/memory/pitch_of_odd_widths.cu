// How far apart do cudaMallocPitch and cudaMalloc3D put rows of odd widths? At the next
// multiple of a fixed number of bytes. A row that is one byte too wide takes a whole
// further piece, so the share of unused bytes is large for narrow rows.

#include <cstdio>
#include <cstdlib>

#include <lockstep/check.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    constexpr std::size_t height = 100;
    constexpr std::size_t widths[] = {1, 100, 500, 512, 513, 1000, 1920, 4096, 4100};
    std::size_t step = 0;  // the pitch of the narrowest row
    bool right = true;
    std::printf("%11s %17s %14s\n", "bytes a row", "cudaMallocPitch", "cudaMalloc3D");
    for (const std::size_t width : widths) {
        // [pitch]
        void* d_rows = nullptr;
        std::size_t pitch = 0;
        lockstep::check(cudaMallocPitch(&d_rows, &pitch, width, height));
        cudaPitchedPtr d_volume{};
        const cudaExtent extent = make_cudaExtent(width, height, 2);
        lockstep::check(cudaMalloc3D(&d_volume, extent));
        // [/pitch]
        if (step == 0) step = pitch;
        right = right && pitch == (width + step - 1) / step * step;
        right = right && d_volume.pitch == pitch;
        std::printf("%11zu %17zu %14zu\n", width, pitch, d_volume.pitch);
        lockstep::check(cudaFree(d_rows));
        lockstep::check(cudaFree(d_volume.ptr));
    }
    lockstep::report("next multiple of", step, "bytes");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
