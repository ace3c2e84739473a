// The process that exported memory and an event ends. What does the process that opened
// them still have? With `--how killed` the exporter is killed while its kernel runs;
// the event after that kernel is then asked for at most five seconds. That is undefined
// behavior: the program only prints what came of it in this run.

#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1 << 19;

// [message]
/// What the exporter sends.
struct offer {
    cudaIpcMemHandle_t opened;  ///< n ints, opened while the exporter lives
    cudaIpcMemHandle_t late;  ///< n ints, opened after its end
    cudaIpcEventHandle_t event;  ///< recorded after its kernel
};
// [/message]

/// Sets all elements.
/// @param x      n ints in device memory, written
/// @param value  the number that all become
__global__ void fill(int* x, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = value;
}

/// Counts the elements that are 1.
/// @param x      n ints in device memory
/// @param count  one int in device memory, added to
__global__ void count_ones(const int* x, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] == 1) atomicAdd(count, 1);
}

/// The exporter, the second process.
/// @param first  the importer
/// @param lasts  the kernel before the event, in nanoseconds
int export_and_end(const lockstep::partner& first, unsigned long long lasts) {
    int* opened = nullptr;
    int* late = nullptr;
    cudaEvent_t event = nullptr;
    offer offered{};
    // [export]
    lockstep::check(cudaMalloc(&opened, n * sizeof(int)));
    lockstep::check(cudaMalloc(&late, n * sizeof(int)));
    fill<<<n / 256, 256>>>(opened, 1);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    lockstep::busy<<<1, 1>>>(lasts);  // 1.5 s
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventCreateWithFlags(
        &event, cudaEventInterprocess | cudaEventDisableTiming));
    lockstep::check(cudaEventRecord(event));
    // [/export]
    lockstep::check(cudaIpcGetMemHandle(&offered.opened, opened));
    lockstep::check(cudaIpcGetMemHandle(&offered.late, late));
    lockstep::check(cudaIpcGetEventHandle(&offered.event, event));
    first.send(offered);
    first.receive<int>();  // or it is killed here
    return EXIT_SUCCESS;  // without cudaFree and cudaEventDestroy
}

/// The importer, the first process.
int import_and_survive(lockstep::partner second, bool kills) {
    lockstep::device_buffer<int> d_count(std::vector<int>{0});
    const auto given = second.receive<offer>();
    void* x = nullptr;
    void* late = nullptr;
    cudaEvent_t event = nullptr;
    lockstep::check(
        cudaIpcOpenMemHandle(&x, given.opened, cudaIpcMemLazyEnablePeerAccess));
    lockstep::check(cudaIpcOpenEventHandle(&event, given.event));
    const auto show = [](const char* label, cudaError_t found) {
        lockstep::report(label, cudaGetErrorName(found));
        cudaGetLastError();  // forget it
        return found;
    };
    // [end]
    show("event, exporter alive", cudaEventQuery(event));
    if (kills)
        second.kill();
    else
        second.send(0);
    lockstep::report("exporter gone", second.gone());
    second.end();
    // [/end]

    // [poll]
    cudaError_t state = cudaErrorNotReady;
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (state == cudaErrorNotReady && std::chrono::steady_clock::now() < limit) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        state = cudaEventQuery(event);
    }
    show("event, exporter gone", state);
    // [/poll]

    // [look]
    show("open after its end",
         cudaIpcOpenMemHandle(&late, given.late, cudaIpcMemLazyEnablePeerAccess));
    count_ones<<<n / 256, 256>>>(static_cast<const int*>(x), d_count.data());
    cudaError_t read = cudaGetLastError();
    int count = 0;
    if (read == cudaSuccess)
        read = cudaMemcpy(&count, d_count.data(), sizeof count, cudaMemcpyDeviceToHost);
    show("read what was open", read);
    if (read == cudaSuccess) lockstep::report("ones in it", lockstep::counted{count});
    show("close", cudaIpcCloseMemHandle(x));
    // [/look]
    return EXIT_SUCCESS;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    const bool kills = options.choice("how", {"ends", "killed"}) == 1;
    options.finish();
    lockstep::require_device();
    if (socket >= 0)  // the start of the second process does not pass --how on
        return export_and_end(lockstep::partner(socket), 1'500'000'000);
    return import_and_survive(lockstep::partner(argv[0]), kills);
}
