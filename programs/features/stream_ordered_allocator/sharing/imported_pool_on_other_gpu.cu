// A process imports a pool, and wants to use its memory on another GPU than the pool's.
// The owner gave that GPU a permission. Is it enough? No: an import does not inherit
// permissions, and the importing process sets its own. It is tried without one and with
// one that is set before or after the allocation is imported, each in a process of its
// own, since a fault ends all its GPU work.

#include <cstdint>
#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr auto by_descriptor = cudaMemHandleTypePosixFileDescriptor;
constexpr int number = 42;

/// Copies one number.
/// @param from  one int in some device's memory
/// @param to    one int in memory of the device that runs the kernel, written
__global__ void fetch_number(const int* from, int* to) { *to = *from; }

/// When the importer sets a permission: before or after it imports the allocation.
enum moment { never, before_pointer, after_pointer };

/// What the owner sends beside the descriptor of its pool.
struct offer {
    cudaMemPoolPtrExportData data;  ///< names the allocation within the pool
    moment allow;  ///< when the importer sets a permission
};

/// What the importer answers.
struct finding {
    cudaError_t owner_set;  ///< what setting a permission returned to the owner
    cudaError_t set;  ///< what it returned to the importer
    cudaError_t error;  ///< of the kernel on device 1
    int value;  ///< what it read
};

/// Allows device 1 to use all memory of a pool of device 0.
cudaError_t allow_device_1(cudaMemPool_t pool) {
    cudaMemAccessDesc permission{};
    permission.location.type = cudaMemLocationTypeDevice;
    permission.location.id = 1;
    permission.flags = cudaMemAccessFlagsProtReadWrite;
    return cudaMemPoolSetAccess(pool, &permission, 1);
}

/// The second process: reads on device 1.
int import_and_read(const lockstep::partner& first) {
    int descriptor = -1;
    auto given = first.receive<offer>(&descriptor);
    finding found{};
    int* to = nullptr;
    lockstep::check(cudaSetDevice(1));
    lockstep::check(cudaMalloc(&to, sizeof *to));
    lockstep::check(cudaSetDevice(0));
    // [import]
    cudaMemPool_t pool = nullptr;
    void* x = nullptr;
    lockstep::check(cudaMemPoolImportFromShareableHandle(
        &pool, reinterpret_cast<void*>(std::intptr_t{descriptor}), by_descriptor, 0));
    if (given.allow == before_pointer) found.set = allow_device_1(pool);
    lockstep::check(cudaMemPoolImportPointer(&x, pool, &given.data));
    if (given.allow == after_pointer) found.set = allow_device_1(pool);
    cudaGetLastError();  // forget it
    lockstep::check(cudaSetDevice(1));
    fetch_number<<<1, 1>>>(static_cast<const int*>(x), to);
    found.error = cudaGetLastError();
    if (found.error == cudaSuccess) found.error = cudaDeviceSynchronize();
    // [/import]
    if (found.error == cudaSuccess)
        found.error = cudaMemcpy(&found.value, to, sizeof(int), cudaMemcpyDefault);
    first.send(found);
    return EXIT_SUCCESS;  // the end of the process frees all
}

/// The first process: shares one number with a new process.
/// @param second  the process that reads
/// @param allow   when that process is to set a permission
finding share(lockstep::partner second, moment allow) {
    // [owner]
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.handleTypes = by_descriptor;
    props.location.type = cudaMemLocationTypeDevice;  // of device 0
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    const cudaError_t owner_set = allow_device_1(pool);  // in this process
    // [/owner]
    int descriptor = -1;
    lockstep::check(
        cudaMemPoolExportToShareableHandle(&descriptor, pool, by_descriptor, 0));
    int* x = nullptr;
    lockstep::check(cudaMallocFromPoolAsync(&x, sizeof *x, pool, nullptr));
    lockstep::check(cudaMemcpy(x, &number, sizeof number, cudaMemcpyDefault));
    offer offered{};
    offered.allow = allow;
    lockstep::check(cudaMemPoolExportPointer(&offered.data, x));
    second.send(offered, descriptor);
    finding found = second.receive<finding>();
    found.owner_set = owner_set;
    second.end();  // it has let go of the memory
    close(descriptor);
    lockstep::check(cudaFreeAsync(x, nullptr));
    lockstep::check(cudaStreamSynchronize(nullptr));
    lockstep::check(cudaMemPoolDestroy(pool));
    return found;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    lockstep::require_device(0, 2);
    if (socket >= 0) return import_and_read(lockstep::partner(socket));

    bool right = true;
    const auto show = [&](const char* label, moment allow) {
        const finding found = share(lockstep::partner(argv[0]), allow);
        if (allow == never)
            lockstep::report("owner allows device 1",
                             cudaGetErrorName(found.owner_set));
        lockstep::report(label, allow == never ? "none" : cudaGetErrorName(found.set));
        lockstep::report("  kernel on device 1", cudaGetErrorName(found.error));
        if (found.error != cudaSuccess) return;
        lockstep::report("  it read", found.value);
        right = right && found.value == number;
    };
    show("importer's permission", never);
    show("set before the pointer", before_pointer);
    show("set after the pointer", after_pointer);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
