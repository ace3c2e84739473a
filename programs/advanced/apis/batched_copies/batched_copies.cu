// Many small copies cost the host more time than the link. One call can carry them all.

#include <cstdlib>
#include <vector>

#include <lockstep/arguments.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/timer.hpp>

int main(int argc, char** argv) {
    lockstep::arguments arguments(argc, argv);
    const std::size_t copies = arguments.integer("copies", 256, 1, 100'000);
    const std::size_t bytes = arguments.integer("bytes", 4096, 1, 1 << 20);
    arguments.finish();
    lockstep::require_device();

    char* host = nullptr;
    lockstep::check(cudaMallocHost(&host, copies * bytes));
    for (std::size_t i = 0; i < copies * bytes; ++i) host[i] = static_cast<char>(i * 7 % 251);
    lockstep::device_buffer<char> one(copies * bytes);
    lockstep::device_buffer<char> other(copies * bytes);
    cudaStream_t stream = nullptr;
    lockstep::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    // [one-by-one]
    const auto one_by_one = [&] {
        for (std::size_t i = 0; i < copies; ++i)
            lockstep::check(
                cudaMemcpyAsync(one.data() + i * bytes, host + i * bytes, bytes, cudaMemcpyHostToDevice, stream));
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
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;  // as with cudaMemcpyAsync
    std::size_t first_of_attribute = 0;                          // these attributes hold from copy 0 on
    const auto batch = [&] {
        lockstep::check(cudaMemcpyBatchAsync(to.data(), from.data(), sizes.data(), copies, &attributes,
                                             &first_of_attribute, 1, stream));
    };
    // [/batch]
    const auto done = [&](const auto& work) {
        return [&] {
            work();
            lockstep::check(cudaStreamSynchronize(stream));
        };
    };
    const double each_us = 1e3 * lockstep::time_on_host(done(one_by_one)).median_ms;
    const double batch_us = 1e3 * lockstep::time_on_host(done(batch)).median_ms;
    lockstep::report("copies", copies);
    lockstep::report("bytes of each", bytes);
    lockstep::report("one by one", lockstep::measured{each_us}, "us");
    lockstep::report("one batch", lockstep::measured{batch_us}, "us");
    const std::size_t different = lockstep::count_mismatches(other.to_host(), one.to_host());
    lockstep::report("bytes that differ", different);
    const bool right = different == 0 && one.to_host()[bytes - 1] == host[bytes - 1];
    lockstep::check(cudaStreamDestroy(stream));
    lockstep::check(cudaFreeHost(host));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
