// Where should a word be that the CPU writes often and the GPU reads? Ten rounds: the
// CPU writes one value, a kernel reads it and collects it. If the page follows each
// reader, every round pays for it twice. If it stays with the CPU, the kernel reads
// across the link, and nothing moves. (The third place has the advice of the guide's
// example, which names the CPU in both.)

#include <cstdlib>
#include <vector>

#include <lockstep/arguments.hpp>
#include <lockstep/device.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/timer.hpp>

constexpr int rounds = 10;

/// Collects one value.
/// @param value      one int that the GPU can reach
/// @param collected  an int in device memory, written
__global__ void collect(const int* value, int* collected) { *collected = *value; }

/// Median time of ten rounds, in microseconds.
/// @param value        one int that both processors can reach
/// @param d_collected  `rounds` ints in device memory
double ten_rounds_us(int* value, int* d_collected) {
    const auto work = [&] {
        // [rounds]
        for (int i = 0; i < rounds; ++i) {
            *value = 42 + i;
            collect<<<1, 1>>>(value, d_collected + i);
            lockstep::check(cudaDeviceSynchronize());
        }
        // [/rounds]
    };
    const double us = lockstep::time_on_host(work, 50).median_ms * 1e3;
    lockstep::check(cudaGetLastError());
    return us;
}

int main(int argc, char** argv) {
    lockstep::arguments arguments(argc, argv);
    const bool untimed = arguments.flag("untimed");
    arguments.finish();
    lockstep::require_device();
    // [hints]
    int *plain = nullptr, *hinted = nullptr, *guide = nullptr, *mapped = nullptr;
    lockstep::check(cudaMallocManaged(&plain, sizeof(int)));
    constexpr std::size_t page = 4096;  // advice holds for whole pages
    lockstep::check(cudaMallocManaged(&hinted, page));
    const cudaMemLocation cpu{cudaMemLocationTypeHost, 0};
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    lockstep::check(
        cudaMemAdvise(hinted, page, cudaMemAdviseSetPreferredLocation, cpu));
    lockstep::check(cudaMemAdvise(hinted, page, cudaMemAdviseSetAccessedBy, gpu));
    // [/hints]
    lockstep::check(cudaMallocManaged(&guide, page));
    lockstep::check(cudaMemAdvise(guide, page, cudaMemAdviseSetPreferredLocation, cpu));
    lockstep::check(cudaMemAdvise(guide, page, cudaMemAdviseSetAccessedBy, cpu));
    lockstep::check(cudaMallocHost(&mapped, sizeof(int)));
    lockstep::device_buffer<int> d_collected(rounds);
    std::vector<int> expected;
    for (int i = 0; i < rounds; ++i) expected.push_back(42 + i);

    const struct {
        const char* name;
        int* value;
    } places[] = {{"managed", plain},
                  {"managed, kept on CPU", hinted},
                  {"managed, as in the guide", guide},
                  {"mapped", mapped}};
    bool right = true;
    double us[4] = {};
    for (int i = 0; i < 4; ++i) {
        d_collected.fill_bytes(0xFF);
        us[i] = ten_rounds_us(places[i].value, d_collected.data());
        right = right && d_collected.to_host() == expected;
        lockstep::report(places[i].name, lockstep::measured{us[i]},
                         "us for ten rounds");
    }
    lockstep::report("values 42 to 51 arrived", right);
    lockstep::check(cudaFree(plain));
    lockstep::check(cudaFree(hinted));
    lockstep::check(cudaFree(guide));
    lockstep::check(cudaFreeHost(mapped));
    return right && (untimed || us[1] < us[0]) ? EXIT_SUCCESS : EXIT_FAILURE;
}
