// Where should a word be that the CPU writes often and the GPU reads? Ten rounds: the
// CPU writes one value, a kernel reads it and collects it. If the page follows each
// reader, every round pays for it twice. If it stays with the CPU, the kernel reads
// across the link, and nothing moves. Each measurement has a fresh word, since the
// driver keeps a page on one side once it has seen it go back and forth. (The third
// place names the CPU in both hints.)

#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

constexpr int rounds = 10;
constexpr std::size_t page = 4096;  // advice holds for whole pages

/// Collects one value.
/// @param value      one int that the GPU can reach
/// @param collected  an int in device memory, written
__global__ void collect(const int* value, int* collected) { *collected = *value; }

/// The four places for the word.
enum place { plain, hinted, mapped_for_cpu, mapped };

/// Allocates one word that both processors can reach.
/// @param where  with which hints
int* allocate(place where) {
    int* value = nullptr;
    if (where == mapped) {
        lockstep::check(cudaMallocHost(&value, page));
        return value;
    }
    // [hints]
    const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    lockstep::check(cudaMallocManaged(&value, page));
    if (where == hinted || where == mapped_for_cpu) {
        lockstep::check(
            cudaMemAdvise(value, page, cudaMemAdviseSetPreferredLocation, cpu));
        lockstep::check(cudaMemAdvise(value, page, cudaMemAdviseSetAccessedBy,
                                      where == hinted ? gpu : cpu));
    }
    // [/hints]
    return value;
}

/// Time of ten rounds, in milliseconds.
/// @param value        one int that both processors can reach
/// @param d_collected  `rounds` ints in device memory
double ten_rounds_ms(int* value, int* d_collected) {
    const auto begin = std::chrono::steady_clock::now();
    // [rounds]
    for (int i = 0; i < rounds; ++i) {
        *value = 42 + i;
        collect<<<1, 1>>>(value, d_collected + i);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
    }
    // [/rounds]
    const auto end = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::milli>(end - begin).count();
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();
    lockstep::device_buffer<int> d_collected(rounds);
    std::vector<int> expected;
    for (int i = 0; i < rounds; ++i) expected.push_back(42 + i);

    constexpr const char* names[] = {"managed, no hint", "managed, kept on CPU",
                                     "managed, mapped for CPU", "mapped"};
    bool right = true;
    double us[4] = {};
    for (const place where : {plain, hinted, mapped_for_cpu, mapped}) {
        std::vector<double> ms;
        for (int run = -1; run < (untimed ? 1 : 20); ++run) {
            int* value = allocate(where);  // fresh: the driver knows nothing of it yet
            d_collected.fill_bytes(0xFF);
            lockstep::check(cudaDeviceSynchronize());
            const double time_ms = ten_rounds_ms(value, d_collected.data());
            if (run >= 0) ms.push_back(time_ms);
            right = right && d_collected.to_host() == expected;
            lockstep::check(where == mapped ? cudaFreeHost(value) : cudaFree(value));
        }
        us[where] = lockstep::summarize(ms).median_ms * 1e3;
        lockstep::report(names[where], lockstep::measured{us[where]},
                         "us for ten rounds");
    }
    lockstep::report("values 42 to 51 arrived", right);
    return right && (untimed || us[hinted] < us[plain]) ? EXIT_SUCCESS : EXIT_FAILURE;
}
