// Three slices of one allocation belong to three tasks. The program hands the last
// slice to another process. The handle of the base stands for the whole allocation, so
// the receiver also needs to know where in it the slice begins. Fill in what is sent,
// and find the slice in the other process. cuMemGetAddressRange returns the base and
// the size of the allocation in which a pointer lies.

#include <cstdlib>
#include <vector>

#include <cuda.h>

#include <lockstep/command_line.hpp>
#include <lockstep/driver.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/require_device.hpp>

constexpr int slice = 1 << 19;  // ints; three slices are 6 MiB

// [message]
/// What the first process sends.
struct offer {
    cudaIpcMemHandle_t handle;  ///< of the allocation
    std::size_t offset;         ///< from the base of the allocation, in bytes
};
// [/message]

// [task-send]
/// Describes a place within an allocation of cudaMalloc to another process.
offer describe(const void* place) {
    CUdeviceptr base = 0;
    std::size_t size = 0;
    const auto address = reinterpret_cast<CUdeviceptr>(place);
    lockstep::check(cuMemGetAddressRange(&base, &size, address));
    offer offered{};
    lockstep::check(
        cudaIpcGetMemHandle(&offered.handle, reinterpret_cast<void*>(base)));
    offered.offset = address - base;
    return offered;
}
//= given
//| /// Describes a place within an allocation of cudaMalloc to another process.
//| offer describe(const void* place) {
//|     // The offset is still 0.
//|     offer offered{};
//|     lockstep::check(
//|         cudaIpcGetMemHandle(&offered.handle, const_cast<void*>(place)));
//|     return offered;
//| }
//= mutant offset_in_ints
//| /// Describes a place within an allocation of cudaMalloc to another process.
//| offer describe(const void* place) {
//|     offer offered{};
//|     lockstep::check(
//|         cudaIpcGetMemHandle(&offered.handle, const_cast<void*>(place)));
//|     offered.offset = 2 * slice;
//|     return offered;
//| }
// [/task-send]

/// The second process: reads one int at the place that was described.
int import_slice(const lockstep::partner& first) {
    const auto given = first.receive<offer>();
    void* base = nullptr;
    lockstep::check(
        cudaIpcOpenMemHandle(&base, given.handle, cudaIpcMemLazyEnablePeerAccess));
    // [task-find]
    const void* place = static_cast<const char*>(base) + given.offset;
    //= given
    //| const void* place = base;  // the slice?
    //= mutant adds_ints
    //| const void* place = static_cast<const int*>(base) + given.offset;
    // [/task-find]
    int found = 0;
    lockstep::check(cudaMemcpy(&found, place, sizeof found, cudaMemcpyDeviceToHost));
    lockstep::check(cudaIpcCloseMemHandle(base));
    first.send(found);
    return EXIT_SUCCESS;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    lockstep::require_device();
    if (socket >= 0) return import_slice(lockstep::partner(socket));

    const lockstep::partner second(argv[0]);
    int* all = nullptr;
    lockstep::check(cudaMalloc(&all, 3 * slice * sizeof(int)));
    std::vector<int> numbers(3 * slice);
    for (int i = 0; i < 3 * slice; ++i) numbers[i] = 3 * i + 1;
    lockstep::check(cudaMemcpy(all, numbers.data(), numbers.size() * sizeof(int),
                               cudaMemcpyDefault));
    const offer offered = describe(all + 2 * slice);
    second.send(offered);
    const int found = second.receive<int>();
    lockstep::check(cudaFree(all));

    lockstep::exercise_verdict verdict;
    verdict.holds("offset sent", offered.offset == 2 * slice * sizeof(int),
                  "the distance from the base of the allocation, in bytes");
    verdict.equal("first element of the slice", std::vector<int>{found},
                  std::vector<int>{numbers[2 * slice]});
    return verdict.finish();
}
