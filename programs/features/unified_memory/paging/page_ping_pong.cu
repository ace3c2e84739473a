// What does it cost if CPU and GPU take turns on one word? Each round the GPU adds one
// and the CPU adds one. In managed memory without a hint the page changes sides twice a
// round. With the page kept on the CPU, in mapped memory, or with a copy of the word,
// nothing has to fault.

#include <cstdlib>

#include <lockstep/arguments.hpp>
#include <lockstep/device.hpp>
#include <lockstep/report.hpp>
#include <lockstep/timer.hpp>

/// Adds one to a word.
/// @param word  one int that the GPU can reach
__global__ void add_one(int* word) { *word += 1; }

/// Median time of a round, in microseconds; both processors add one in each.
/// @param word     one int that both can reach
/// @param rounds   timed rounds
/// @param host     if not null, the CPU's own copy of the word, copied both ways
double round_us(int* word, int rounds, int* host = nullptr) {
    const auto round = [&] {
        // [round]
        add_one<<<1, 1>>>(word);
        if (host)
            lockstep::check(cudaMemcpyAsync(host, word, sizeof *word,
                                            cudaMemcpyDeviceToHost, nullptr));
        lockstep::check(cudaDeviceSynchronize());
        host ? * host += 1 : * word += 1;
        if (host)
            lockstep::check(cudaMemcpyAsync(word, host, sizeof *word,
                                            cudaMemcpyHostToDevice, nullptr));
        // [/round]
    };
    const double us = lockstep::time_on_host(round, rounds).median_ms * 1e3;
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    return us;
}

int main(int argc, char** argv) {
    lockstep::arguments arguments(argc, argv);
    const int rounds = static_cast<int>(arguments.integer("rounds", 500, 5, 5000));
    const bool untimed = arguments.flag("untimed");
    arguments.finish();
    lockstep::require_device();

    int *managed = nullptr, *on_cpu = nullptr, *on_gpu = nullptr, *mapped = nullptr;
    int *d_word = nullptr, *host = nullptr;
    // [allocate]
    constexpr std::size_t page = 4096;
    lockstep::check(cudaMallocManaged(&managed, page));
    lockstep::check(cudaMallocManaged(&on_cpu, page));
    lockstep::check(cudaMallocManaged(&on_gpu, page));
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
    lockstep::check(
        cudaMemAdvise(on_cpu, page, cudaMemAdviseSetPreferredLocation, cpu));
    lockstep::check(cudaMemAdvise(on_cpu, page, cudaMemAdviseSetAccessedBy, gpu));
    lockstep::check(
        cudaMemAdvise(on_gpu, page, cudaMemAdviseSetPreferredLocation, gpu));
    // [/allocate]
    lockstep::check(cudaMallocHost(&mapped, sizeof(int)));
    lockstep::check(cudaMallocHost(&host, sizeof(int)));
    lockstep::check(cudaMalloc(&d_word, sizeof(int)));
    *managed = *on_cpu = *on_gpu = *mapped = *host = 0;
    lockstep::check(cudaMemset(d_word, 0, sizeof(int)));

    const double plain_us = round_us(managed, rounds);
    const double on_gpu_us = round_us(on_gpu, rounds);
    const double on_cpu_us = round_us(on_cpu, rounds);
    const double mapped_us = round_us(mapped, rounds);
    const double copied_us = round_us(d_word, rounds, host);
    lockstep::report("rounds", rounds);
    lockstep::report("managed", lockstep::measured{plain_us}, "us a round");
    lockstep::report("managed, preferred on GPU", lockstep::measured{on_gpu_us},
                     "us a round");
    lockstep::report("managed, kept on CPU", lockstep::measured{on_cpu_us},
                     "us a round");
    lockstep::report("mapped", lockstep::measured{mapped_us}, "us a round");
    lockstep::report("copied both ways", lockstep::measured{copied_us}, "us a round");
    const int words[] = {*managed, *on_cpu, *on_gpu, *mapped, *host};
    bool right = true;
    for (const int word : words) right = right && word == words[0];
    lockstep::report("all five words are equal", right);
    for (int* one : {managed, on_cpu, on_gpu, d_word}) lockstep::check(cudaFree(one));
    lockstep::check(cudaFreeHost(mapped));
    lockstep::check(cudaFreeHost(host));
    const bool cheaper = untimed || (on_cpu_us < plain_us && mapped_us < plain_us);
    return right && cheaper ? EXIT_SUCCESS : EXIT_FAILURE;
}
