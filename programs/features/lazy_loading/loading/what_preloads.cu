// Which calls load a kernel before its first launch? Each is tried on kernels of its
// own, and the first launch shows whether it still had something to load.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

__device__ int sink;

/// One of many kernels.
template <int number>
__global__ void kernel() {
    if (threadIdx.x == 1000) sink = number;
}

using kernel_pointer = void (*)();
constexpr int each = 40;  // kernels for each call

/// The kernels for one call: those with the numbers call * each and following.
template <int call, int... numbers>
std::vector<kernel_pointer> kernels_of(std::integer_sequence<int, numbers...>) {
    return {kernel<call * each + numbers>...};
}

/// How long something takes the host, in microseconds.
template <class Work>
double us_of(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() -
                                                     begin)
        .count();
}

// [way]
/// Makes a call for each of some kernels, then launches each, and prints the medians.
/// @tparam number  of the call, which selects the kernels
/// @param file  gets a row
/// @param name  of the call
/// @param call  callable (kernel_pointer)
template <int number, class Call>
void report_call(lockstep::csv_file& file, const char* name, const Call& call) {
    std::vector<double> call_us;
    std::vector<double> launch_us;
    for (const auto one : kernels_of<number>(std::make_integer_sequence<int, each>())) {
        call_us.push_back(us_of([&] { call(one); }));
        launch_us.push_back(us_of([&] { one<<<1, 1>>>(); }));
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
    }
    std::printf("%-36s~%-10.2f~%.2f\n", name, lockstep::summarize(call_us).median_ms,
                lockstep::summarize(launch_us).median_ms);
    file.row("%s,%.2f,%.2f", name, lockstep::summarize(call_us).median_ms,
             lockstep::summarize(launch_us).median_ms);
}
// [/way]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    kernel<-1><<<1, 1>>>();  // initializes the runtime, and loads the module
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    std::printf("%-36s%-11s%s\n", "us", "call", "launch after it");
    lockstep::csv_file file(csv, "call,~call_us,~launch_us");
    // [ways]
    report_call<0>(file, "none", [](kernel_pointer) {});
    report_call<1>(file, "cudaFuncGetAttributes", [](kernel_pointer one) {
        cudaFuncAttributes attributes{};
        lockstep::check(cudaFuncGetAttributes(&attributes, one));
    });
    report_call<2>(file, "cudaFuncSetAttribute", [](kernel_pointer one) {
        lockstep::check(cudaFuncSetAttribute(
            one, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
    });
    report_call<3>(file, "cudaOccupancyMaxActiveBlocks...", [](kernel_pointer one) {
        int blocks = 0;
        lockstep::check(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, one, 128, 0));
    });
    report_call<4>(file, "first launch", [](kernel_pointer one) {
        one<<<1, 1>>>();
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
    });
    // [/ways]
    file.finish();
    return EXIT_SUCCESS;
}
