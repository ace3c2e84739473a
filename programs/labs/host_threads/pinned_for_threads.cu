// Data arrives in pageable memory, on several host threads. Should a thread pin a
// buffer for each request, or keep one? Pinning and unpinning is work of the operating
// system and the driver, and costs far more than the copy; so buffers are pinned once,
// and used again.

#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int most_threads = 8;

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int requests = options.integer("requests", 128, 8, 1 << 12) / 8 * 8;
    const int words = options.integer("words", 1 << 18, 1, 1 << 22);
    const int runs = options.integer("runs", 5, 1, 100);
    options.finish();
    lockstep::require_device();

    const std::size_t bytes = words * sizeof(unsigned);
    std::vector<unsigned> arrived(std::size_t(requests) * words);
    for (std::size_t i = 0; i < arrived.size(); ++i) arrived[i] = i * 2654435761u;
    lockstep::device_buffer<unsigned> d_data(arrived.size());
    std::vector<lockstep::owned_stream> streams(most_threads);
    std::vector<unsigned*> pinned(most_threads);
    for (unsigned*& buffer : pinned) lockstep::check(cudaMallocHost(&buffer, bytes));

    // [ways]
    const auto send = [&](int t, int request, unsigned* buffer) {
        const std::size_t first = std::size_t(request) * words;
        const unsigned* source = arrived.data() + first;
        if (buffer) {
            std::memcpy(buffer, source, bytes);
            source = buffer;
        }
        lockstep::check(cudaMemcpyAsync(d_data.data() + first, source, bytes,
                                        cudaMemcpyHostToDevice, streams[t]));
        lockstep::check(cudaStreamSynchronize(streams[t]));
    };
    const auto from_pageable = [&](int t, int request) { send(t, request, nullptr); };
    const auto pin_each = [&](int t, int request) {
        unsigned* buffer = nullptr;
        lockstep::check(cudaMallocHost(&buffer, bytes));
        send(t, request, buffer);
        lockstep::check(cudaFreeHost(buffer));
    };
    const auto pinned_once = [&](int t, int request) { send(t, request, pinned[t]); };
    // [/ways]

    std::size_t wrong = 0;
    const auto checked_us = [&](int threads, auto& way) {
        d_data.fill_bytes(0xFF);
        lockstep::check(cudaDeviceSynchronize());
        const double ms = lockstep::time_on_host(
                              [&] {
                                  std::vector<std::thread> workers;
                                  for (int t = 0; t < threads; ++t)
                                      workers.emplace_back([&, t] {
                                          for (int r = t; r < requests; r += threads)
                                              way(t, r);
                                      });
                                  for (std::thread& worker : workers) worker.join();
                              },
                              runs)
                              .median_ms;
        wrong += lockstep::count_mismatches(d_data.to_host(), arrived);
        return ms * 1e3 / requests;
    };
    for (const int threads : {1, most_threads}) {
        const std::string who = threads == 1 ? "1 thread, " : "8 threads, ";
        const double pageable = checked_us(threads, from_pageable);
        const double each = checked_us(threads, pin_each);
        const double kept = checked_us(threads, pinned_once);
        lockstep::report((who + "pageable").c_str(), lockstep::measured{pageable},
                         "us a request");
        lockstep::report((who + "pinned each time").c_str(), lockstep::measured{each},
                         "us a request");
        lockstep::report((who + "pinned once").c_str(), lockstep::measured{kept},
                         "us a request");
    }
    lockstep::report("wrong words", wrong);
    for (unsigned* buffer : pinned) lockstep::check(cudaFreeHost(buffer));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
