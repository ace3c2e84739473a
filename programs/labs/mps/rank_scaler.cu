// A fixed number of elements is divided over 1, 4 and 8 processes (ranks), which
// double and halve them in many steps on one GPU. How long does a step take? Without
// the Multi-Process Service, and with it where this program is its client.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/mps.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/require_device.hpp>

constexpr int most_ranks = 8, block_size = 256;
using host_clock = std::chrono::steady_clock;

/// What a rank is told.
struct order {
    int n;        ///< its number of elements; 0 ends it
    int steps;    ///< how many, an even number
    int host_us;  ///< work of the host in each step, in microseconds
};

// [kernel]
/// Multiplies all elements.
/// @param n       number of elements
/// @param factor  2 or 0.5, so that all results are exact
/// @param x       n doubles in device memory, changed in place
__global__ void scale(int n, double factor, double* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = factor * x[i];
}
// [/kernel]

/// Writes 1, 2 or 3 into each element, or counts those that hold something else.
/// @param n      number of elements
/// @param x      n doubles in device memory
/// @param wrong  a counter in device memory, or null to write
__global__ void fill_or_count(int n, double* x, unsigned* wrong) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double value = 1 + i % 3;
    if (!wrong) x[i] = value;
    if (wrong && x[i] != value) atomicAdd(wrong, 1);
}

double us_since(host_clock::time_point begin) {
    return std::chrono::duration<double, std::micro>(host_clock::now() - begin).count();
}

/// A rank: does what it is told, and answers how many elements are wrong.
int follow_orders(const lockstep::partner& parent) {
    lockstep::check(cudaFree(nullptr));  // makes the context
    parent.send(0);
    for (order given = parent.receive<order>(); given.n > 0;
         given = parent.receive<order>()) {
        lockstep::device_buffer<double> d_x(given.n);
        lockstep::device_buffer<unsigned> d_wrong(std::vector<unsigned>{0});
        const int blocks = (given.n + block_size - 1) / block_size;
        fill_or_count<<<blocks, block_size>>>(given.n, d_x.data(), nullptr);
        scale<<<blocks, block_size>>>(given.n, 1, d_x.data());  // a warm-up
        lockstep::check(cudaDeviceSynchronize());
        parent.send(0);  // ready
        parent.receive<int>();  // go
        // [steps]
        for (int step = 0; step < given.steps; ++step) {
            const auto begin = host_clock::now();
            while (given.host_us && us_since(begin) < given.host_us) {
            }
            scale<<<blocks, block_size>>>(given.n, step % 2 ? 0.5 : 2, d_x.data());
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaStreamSynchronize(nullptr));
        }
        // [/steps]
        parent.send(0);  // done
        fill_or_count<<<blocks, block_size>>>(given.n, d_x.data(), d_wrong.data());
        parent.send(d_wrong.to_host()[0]);
    }
    return EXIT_SUCCESS;
}

/// Lets the first `ranks` of them do some steps.
/// @param all    the ranks that were started
/// @param ranks  how many of them work
/// @param whole  elements and host work of all ranks together
/// @param wrong  number of wrong elements, added to
/// @return time of a step in microseconds
double time_of_step(const std::vector<lockstep::partner>& all, int ranks, order whole,
                    unsigned* wrong) {
    for (int rank = 0; rank < ranks; ++rank)
        all[rank].send(order{whole.n / ranks, whole.steps, whole.host_us / ranks});
    for (int rank = 0; rank < ranks; ++rank) all[rank].receive<int>();
    const auto begin = host_clock::now();
    for (int rank = 0; rank < ranks; ++rank) all[rank].send(0);
    for (int rank = 0; rank < ranks; ++rank) all[rank].receive<int>();
    const double us = us_since(begin) / whole.steps;
    for (int rank = 0; rank < ranks; ++rank) *wrong += all[rank].receive<unsigned>();
    return us;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    const int host_us = options.integer("host-us", 0, 0, 10'000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();
    if (socket >= 0) return follow_orders(lockstep::partner(socket));

    const std::vector<int> sizes = host_us
                                       ? std::vector{10'000'000}
                                       : std::vector{100'000,    1'000'000,   5'000'000,
                                                     20'000'000, 100'000'000, 1 << 30};
    lockstep::csv_file table(csv, "doubles,case,~times one rank");
    std::map<int, double> one_rank_us;  // without the service, by size
    unsigned wrong = 0;
    for (const bool shared : {false, true}) {
        if (shared && !lockstep::mps_offered()) break;
        // a folder without a daemon: these processes run without the service
        const lockstep::inherited pipes("CUDA_MPS_PIPE_DIRECTORY",
                                        shared ? nullptr : "/nonexistent");
        std::vector<lockstep::partner> all;
        for (int rank = 0; rank < most_ranks; ++rank) all.emplace_back(argv[0]);
        for (const auto& rank : all) rank.receive<int>();
        for (const int n : sizes)
            for (const int ranks : {1, 4, 8}) {
                const double first_us =
                    time_of_step(all, ranks, {n, 4, host_us}, &wrong);
                const int steps = std::clamp(int(2e5 / first_us), 4, 2000) / 2 * 2;
                const double us = time_of_step(all, ranks, {n, steps, host_us}, &wrong);
                one_rank_us.try_emplace(n, us);
                const std::string name = (shared ? ", MPS, " : ", alone, ") +
                                         std::to_string(ranks) +
                                         (ranks == 1 ? " rank" : " ranks");
                if (ranks > 1)
                    table.row("%d,\"%s\",%.4f", n, name.c_str() + 2,
                              us / one_rank_us[n]);
                if (ranks < 8 && n != 5'000'000 && n != 100'000'000)
                    lockstep::report((std::to_string(n) + name).c_str(),
                                     lockstep::measured{us}, "us");
            }
        for (const auto& rank : all) rank.send(order{});
    }
    table.finish();
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
