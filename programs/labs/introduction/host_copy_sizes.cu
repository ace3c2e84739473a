// How fast are copies from the host, and does their size matter? Pageable memory is
// copied twice, by the CPU into a pinned buffer and from there by the GPU. A buffer
// that the CPU reads again and again may stay in its cache, one that it walks through
// may not. Pinned memory needs no work of the CPU.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/require_device.hpp>

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t whole = options.integer<std::size_t>("mib", 256, 1, 1024) << 20;
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    std::vector<char> pageable(whole);
    for (std::size_t i = 0; i < whole; ++i) pageable[i] = static_cast<char>(i % 127);
    char* pinned = nullptr;
    lockstep::check(cudaMallocHost(&pinned, whole));
    std::memcpy(pinned, pageable.data(), whole);
    lockstep::device_buffer<char> data(whole);
    lockstep::csv_file series(csv, "memory,mib,~GB/s");
    std::printf("%-8s%22s%22s%22s\n", "MiB", "pageable, same piece",
                "pageable, next piece", "pinned, same piece");
    for (const int pieces : {256, 64, 16, 4, 1}) {
        const std::size_t bytes = whole / pieces;
        const double mib = static_cast<double>(bytes) / (1 << 20);
        std::printf("%-8g", mib);
        const auto rate = [&](const char* name, const char* from, bool next) {
            // [copy]
            std::size_t at = 0;
            const auto copy = [&] {
                lockstep::check(cudaMemcpy(data.data() + at, from + at, bytes,
                                           cudaMemcpyHostToDevice));
                if (next) at = (at + bytes) % whole;
            };
            const double gb = lockstep::time_on_host(copy, 9).per_second(bytes) * 1e-9;
            // [/copy]
            char text[24];
            std::snprintf(text, sizeof text, "~%.1f GB/s", gb);
            std::printf("%22s", text);
            series.row("\"%s\",%g,%.4g", name, mib, gb);
        };
        rate("pageable, same piece", pageable.data(), false);
        rate("pageable, next piece", pageable.data(), true);
        rate("pinned, same piece", pinned, false);
        std::printf("\n");
    }
    series.finish();
    lockstep::check(cudaFreeHost(pinned));
    return data.to_host() == pageable ? EXIT_SUCCESS : EXIT_FAILURE;
}
