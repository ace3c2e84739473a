// Many small copies cost the host more time than the link. One call can carry them all.
// Or the host packs the pieces, copies them in one piece, and a kernel distributes
// them.

#include <cstdlib>
#include <cstring>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

// [distribute]
/// Copies packed pieces to where they belong, one block for each piece.
/// @param bytes   of a piece
/// @param packed  the pieces one after the other, in device memory
/// @param to      for each piece its place in device memory; the array as well
__global__ void distribute(std::size_t bytes, const char* packed, char* const* to) {
    const char* from = packed + blockIdx.x * bytes;
    for (std::size_t i = threadIdx.x; i < bytes; i += blockDim.x)
        to[blockIdx.x][i] = from[i];
}
// [/distribute]

/// What the three variants took, in microseconds, and whether they moved the same.
struct result {
    double each_us;
    double batch_us;
    double packed_us;
    std::size_t different;  ///< bytes
};

/// Makes the same copies from pinned host memory to the device: one by one, in a batch,
/// and packed.
/// @param copies  how many copies
/// @param bytes   of each
static result compare_copies(std::size_t copies, std::size_t bytes) {
    char* host = nullptr;
    lockstep::check(cudaMallocHost(&host, copies * bytes));
    for (std::size_t i = 0; i < copies * bytes; ++i)
        host[i] = static_cast<char>(i * 7 % 251);
    lockstep::device_buffer<char> one(copies * bytes);
    lockstep::device_buffer<char> other(copies * bytes);
    const lockstep::owned_stream stream;

    // [one-by-one]
    const auto one_by_one = [&] {
        for (std::size_t i = 0; i < copies; ++i)
            lockstep::check(cudaMemcpyAsync(one.data() + i * bytes, host + i * bytes,
                                            bytes, cudaMemcpyHostToDevice, stream));
    };
    // [/one-by-one]
    // [batch]
    std::vector<void*> to;
    std::vector<const void*> from;
    for (std::size_t i = 0; i < copies; ++i) {
        to.push_back(other.data() + i * bytes);
        from.push_back(host + i * bytes);
    }
    const std::vector<std::size_t> sizes(copies, bytes);
    cudaMemcpyAttributes attributes{};
    // as with cudaMemcpyAsync
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    // these attributes hold from copy 0 on
    std::size_t first_of_attribute = 0;
    const auto batch = [&] {
        lockstep::check(cudaMemcpyBatchAsync(to.data(), from.data(), sizes.data(),
                                             copies, &attributes, &first_of_attribute,
                                             1, stream));
    };
    // [/batch]
    char* staging = nullptr;
    lockstep::check(cudaMallocHost(&staging, copies * bytes));
    lockstep::device_buffer<char> packed(copies * bytes);
    lockstep::device_buffer<char> third(copies * bytes);
    std::vector<char*> places;
    for (std::size_t i = 0; i < copies; ++i) places.push_back(third.data() + i * bytes);
    const lockstep::device_buffer<char*> d_places(places);
    // [packed]
    const auto pack = [&] {
        for (std::size_t i = 0; i < copies; ++i)
            std::memcpy(staging + i * bytes, host + i * bytes, bytes);
        lockstep::check(cudaMemcpyAsync(packed.data(), staging, copies * bytes,
                                        cudaMemcpyHostToDevice, stream));
        distribute<<<static_cast<unsigned>(copies), 256, 0, stream>>>(
            bytes, packed.data(), d_places.data());
        lockstep::check(cudaGetLastError());
    };
    // [/packed]
    const auto done = [&](const auto& work) {
        return [&] {
            work();
            lockstep::check(cudaStreamSynchronize(stream));
        };
    };
    result found{};
    found.each_us = 1e3 * lockstep::time_on_host(done(one_by_one)).median_ms;
    found.batch_us = 1e3 * lockstep::time_on_host(done(batch)).median_ms;
    found.packed_us = 1e3 * lockstep::time_on_host(done(pack)).median_ms;
    const auto moved = one.to_host();
    found.different = lockstep::count_mismatches(other.to_host(), moved) +
                      lockstep::count_mismatches(third.to_host(), moved) +
                      (moved[bytes - 1] != host[bytes - 1]);
    lockstep::check(cudaFreeHost(host));
    lockstep::check(cudaFreeHost(staging));
    return found;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const std::size_t copies = options.integer<std::size_t>("copies", 256, 1, 100'000);
    const std::size_t bytes = options.integer<std::size_t>("bytes", 4096, 1, 1 << 20);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    if (csv) {
        lockstep::csv_file series(csv, "bytes of a copy,how,~us for a copy");
        std::size_t different = 0;
        for (std::size_t size = 256; size <= std::size_t(1) << 20; size *= 4) {
            const result found = compare_copies(copies, size);
            const double each = 1.0 / static_cast<double>(copies);
            series.row("%zu,one by one,%.3f", size, found.each_us * each);
            series.row("%zu,one batch,%.3f", size, found.batch_us * each);
            series.row("%zu,\"packed, distributed\",%.3f", size,
                       found.packed_us * each);
            different += found.different;
        }
        series.finish();
        lockstep::report("bytes that differ", different);
        return different == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    const result found = compare_copies(copies, bytes);
    lockstep::report("copies", copies);
    lockstep::report("bytes of each", bytes);
    lockstep::report("one by one", lockstep::measured{found.each_us}, "us");
    lockstep::report("one batch", lockstep::measured{found.batch_us}, "us");
    lockstep::report("packed, distributed", lockstep::measured{found.packed_us}, "us");
    lockstep::report("bytes that differ", found.different);
    return found.different == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
