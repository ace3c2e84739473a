// How do structures with pointers reach the GPU? By hand, each buffer is allocated and
// copied on its own, and the structure gets the address of the copy. In managed memory,
// the pointers that the CPU set mean the same to the kernel. Here each station has a
// buffer with another number of readings; both ways give the same sums.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/random.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [structure]
/// A station and its readings.
struct station {
    int count;  // number of readings
    int* readings;  // that many
    int sum;  // of the readings, written by the kernel
};

/// Adds up the readings of each station.
/// @param n         number of stations
/// @param stations  n stations, whose readings the kernel can reach
__global__ void add_up(int n, station* stations) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    stations[i].sum = 0;
    for (int k = 0; k < stations[i].count; ++k)
        stations[i].sum += stations[i].readings[k];
}
// [/structure]

// what the stations are made of, and what is expected of the kernel
int count_of(int i) { return 1 + i * 7 % 23; }
int reading(int i, int k) { return int(lockstep::random_word(i, k) % 1000u); }
int sum_of(int i) {
    int sum = 0;
    for (int k = 0; k < count_of(i); ++k) sum += reading(i, k);
    return sum;
}

/// Copies stations by hand, and tells whether the kernel's sums are right.
/// @param stations  in the CPU's memory, with their readings there
/// @param calls     counts the allocations and copies
bool by_hand(std::vector<station> stations, int& calls) {
    const int n = static_cast<int>(stations.size());
    const std::size_t bytes = n * sizeof(station);
    // [by-hand]
    for (station& each : stations) {  // each now points to the GPU's copy
        int* d_readings = nullptr;
        const std::size_t room = each.count * sizeof(int);
        lockstep::check(cudaMalloc(&d_readings, room));
        lockstep::check(
            cudaMemcpy(d_readings, each.readings, room, cudaMemcpyHostToDevice));
        each.readings = d_readings;
        calls += 2;
    }
    station* d_stations = nullptr;
    lockstep::check(cudaMalloc(&d_stations, bytes));
    lockstep::check(
        cudaMemcpy(d_stations, stations.data(), bytes, cudaMemcpyHostToDevice));
    add_up<<<(n + 255) / 256, 256>>>(n, d_stations);
    lockstep::check(cudaGetLastError());
    lockstep::check(
        cudaMemcpy(stations.data(), d_stations, bytes, cudaMemcpyDeviceToHost));
    calls += 3;
    // [/by-hand]
    bool right = true;
    for (int i = 0; i < n; ++i) {
        right = right && stations[i].sum == sum_of(i);
        lockstep::check(cudaFree(stations[i].readings));
    }
    lockstep::check(cudaFree(d_stations));
    return right;
}

/// Builds stations in managed memory, and tells whether the kernel's sums are right.
/// @param n      number of stations
/// @param calls  counts the allocations and copies
bool by_managed_memory(int n, int& calls) {
    // [managed]
    station* stations = nullptr;
    lockstep::check(cudaMallocManaged(&stations, n * sizeof(station)));
    ++calls;
    for (int i = 0; i < n; ++i) {  // built once, where both processors use it
        stations[i] = {count_of(i), nullptr, -1};
        lockstep::check(
            cudaMallocManaged(&stations[i].readings, count_of(i) * sizeof(int)));
        for (int k = 0; k < count_of(i); ++k) stations[i].readings[k] = reading(i, k);
        ++calls;
    }
    add_up<<<(n + 255) / 256, 256>>>(n, stations);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    // [/managed]
    bool right = true;
    for (int i = 0; i < n; ++i) {
        right = right && stations[i].sum == sum_of(i);
        lockstep::check(cudaFree(stations[i].readings));
    }
    lockstep::check(cudaFree(stations));
    return right;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 500, 1, 2000);
    options.finish();
    lockstep::require_device();

    std::vector<std::vector<int>> readings(n);
    std::vector<station> stations(n);
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < count_of(i); ++k) readings[i].push_back(reading(i, k));
        stations[i] = {count_of(i), readings[i].data(), -1};
    }
    int calls[2] = {};
    const bool copied = by_hand(stations, calls[0]);
    const bool managed = by_managed_memory(n, calls[1]);
    lockstep::report("stations", n);
    lockstep::report("by hand: allocs and copies", calls[0]);
    lockstep::report("by hand: sums right", copied);
    lockstep::report("managed: allocs and copies", calls[1]);
    lockstep::report("managed: sums right", managed);
    return copied && managed ? EXIT_SUCCESS : EXIT_FAILURE;
}
