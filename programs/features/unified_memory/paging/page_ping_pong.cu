// What does it cost if CPU and GPU take turns on one word? Each round the GPU adds one
// and the CPU adds one. In managed memory without a hint the page changes sides twice a
// round, until the driver notices and keeps it on one side. If the GPU is preferred, it
// goes on for ever. With the page kept on the CPU, in mapped memory, or with a copy of
// the word, nothing has to fault.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

/// Adds one to a word.
/// @param word  one int that the GPU can reach
__global__ void add_one(int* word) { *word += 1; }

/// What the rounds took.
struct result {
    double median_us;
    int slow;  // rounds of more than 100 us
};

/// Times rounds; both processors add one in each.
/// @param word    one int that both can reach
/// @param rounds  how many
/// @param host    if not null, the CPU's own copy of the word, copied both ways
result play(int* word, int rounds, int* host = nullptr) {
    std::vector<double> ms;
    for (int i = 0; i < rounds; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        // [round]
        add_one<<<1, 1>>>(word);
        lockstep::check(cudaGetLastError());
        if (host)
            lockstep::check(cudaMemcpyAsync(host, word, sizeof *word,
                                            cudaMemcpyDeviceToHost, nullptr));
        lockstep::check(cudaDeviceSynchronize());
        if (host)
            *host += 1;
        else
            *word += 1;
        if (host)
            lockstep::check(cudaMemcpyAsync(word, host, sizeof *word,
                                            cudaMemcpyHostToDevice, nullptr));
        // [/round]
        const auto end = std::chrono::steady_clock::now();
        ms.push_back(std::chrono::duration<double, std::milli>(end - begin).count());
    }
    lockstep::check(cudaDeviceSynchronize());
    const auto slow =
        std::count_if(ms.begin(), ms.end(), [](double t) { return t > 0.1; });
    return {lockstep::summarize(ms).median_ms * 1e3, int(slow)};
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int rounds = options.integer("rounds", 500, 5, 5000);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    int* managed = nullptr;
    int* on_cpu = nullptr;
    int* on_gpu = nullptr;
    int* mapped = nullptr;
    int* d_word = nullptr;
    int* host = nullptr;
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

    play(mapped, 10);  // loads the kernel
    *mapped = 0;
    const struct {
        const char* name;
        result found;
    } places[] = {{"managed, no hint", play(managed, rounds)},
                  {"managed, preferred on GPU", play(on_gpu, rounds)},
                  {"managed, kept on CPU", play(on_cpu, rounds)},
                  {"mapped", play(mapped, rounds)},
                  {"copied both ways", play(d_word, rounds, host)}};
    lockstep::report("rounds", rounds);
    for (const auto& one : places)
        lockstep::report(one.name, lockstep::measured{one.found.median_us},
                         "us a round");
    lockstep::report("slow rounds, no hint", lockstep::counted{places[0].found.slow});
    lockstep::report("slow rounds, preferred", lockstep::counted{places[1].found.slow});
    lockstep::report("slow rounds, kept on CPU",
                     lockstep::counted{places[2].found.slow});
    const int words[] = {*managed, *on_cpu, *on_gpu, *mapped, *host};
    bool right = true;
    for (const int word : words) right = right && word == words[0];
    lockstep::report("all five words are equal", right);
    for (int* one : {managed, on_cpu, on_gpu, d_word}) lockstep::check(cudaFree(one));
    lockstep::check(cudaFreeHost(mapped));
    lockstep::check(cudaFreeHost(host));
    const bool cheaper =
        untimed || places[2].found.median_us < places[1].found.median_us;
    return right && cheaper ? EXIT_SUCCESS : EXIT_FAILURE;
}
