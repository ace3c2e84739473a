// Four host threads share an array: each launches one kernel for its share. In the
// starter all launches go to the default stream, so the four kernels run one after the
// other, and the shares do not add up to the whole array. Give each thread a stream of
// its own, and shares that fit together and cover the array.

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>

constexpr int threads = 4;
constexpr long long patience = 400'000'000;  // cycles, about 0.2 s

/// Where the kernels meet: words in device memory, zeros at first.
struct meeting {
    int arrived;  ///< kernels that have begun
    int met;      ///< kernels that saw all others begin
};

/// Triples each number of a share. Its first thread waits for the kernels of the other
/// shares to begin; if they do not, it gives up.
/// @param begin, end  the share
/// @param x           numbers in device memory
/// @param y           as many in device memory, written
/// @param all         where the kernels meet
__global__ void triple(int begin, int end, const int* x, int* y, meeting* all) {
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) y[i] = 3 * x[i];
    if (threadIdx.x > 0) return;
    atomicAdd(&all->arrived, 1);
    const long long start = clock64();
    while (atomicAdd(&all->arrived, 0) < threads && clock64() - start < patience) {
    }
    if (atomicAdd(&all->arrived, 0) == threads) atomicAdd(&all->met, 1);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 100'003, threads, 1 << 24);
    options.finish();
    lockstep::require_device();

    std::vector<int> x(n), expected(n);
    for (int i = 0; i < n; ++i) {
        x[i] = static_cast<int>(lockstep::random_word(i) % 1000) + 1;
        expected[i] = 3 * x[i];
    }
    const lockstep::device_buffer<int> d_x(x);
    lockstep::device_buffer<int> d_y(std::vector<int>(n, -1));
    lockstep::device_buffer<meeting> d_all(1);
    d_all.fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    lockstep::load_kernels(triple);
    struct range {
        int begin;
        int end;
    };
    std::vector<range> shares(threads);
    const auto launch = [&](int t, int begin, int end, cudaStream_t stream) {
        shares[t] = {begin, end};
        triple<<<1, 256, 0, stream>>>(begin, end, d_x.data(), d_y.data(), d_all.data());
        lockstep::check(cudaGetLastError());
    };

    const std::vector<lockstep::owned_stream> streams(threads);
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
            // [task]
            const int size = (n + threads - 1) / threads;
            const int begin = std::min(n, t * size);
            const int end = std::min(n, begin + size);
            launch(t, begin, end, streams[t]);
            //= given
            //| const int size = n / threads;
            //| launch(t, t * size, t * size + size, nullptr);
            //= mutant rest_is_lost
            //| const int size = n / threads;
            //| launch(t, t * size, t * size + size, streams[t]);
            //= mutant beyond_the_end
            //| const int size = (n + threads - 1) / threads;
            //| launch(t, t * size, t * size + size, streams[t]);
            //= mutant one_stream_for_all
            //| const int size = (n + threads - 1) / threads;
            //| launch(t, t * size, std::min(n, t * size + size), streams[0]);
            //= mutant two_in_default_stream
            //| const int size = (n + threads - 1) / threads;
            //| const cudaStream_t stream = t < 2 ? nullptr : cudaStream_t(streams[t]);
            //| launch(t, t * size, std::min(n, t * size + size), stream);
            // [/task]
        });
    for (std::thread& worker : workers) worker.join();
    lockstep::check(cudaDeviceSynchronize());

    std::string fault;  // of the shares, the first one
    int next = 0;
    for (int t = 0; t < threads && fault.empty(); ++t) {
        if (shares[t].begin != next)
            fault = "thread " + std::to_string(t) + " begins with element " +
                    std::to_string(shares[t].begin) + ", not " + std::to_string(next);
        next = shares[t].end;
    }
    if (fault.empty() && next != n)
        fault = "thread " + std::to_string(threads - 1) + " ends before element " +
                std::to_string(next) + ", but the array before element " +
                std::to_string(n);
    lockstep::exercise_verdict verdict;
    verdict.holds("shares of the threads", fault.empty(), fault.c_str());
    verdict.equal("tripled numbers", d_y.to_host(), expected);
    verdict.holds("kernels run side by side", d_all.to_host()[0].met == threads,
                  "not all kernels ran at once: which stream does each thread use?");
    return verdict.finish();
}
