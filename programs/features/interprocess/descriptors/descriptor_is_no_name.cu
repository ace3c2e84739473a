// Who can open a shareable handle? A pool is exported as a file descriptor. The second
// process first learns only its number, which means nothing there; then it receives the
// descriptor itself through the operating system, and can import the pool.

#include <cstdint>
#include <cstdlib>

#include <unistd.h>

#include <lockstep/command_line.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr auto by_descriptor = cudaMemHandleTypePosixFileDescriptor;

/// What the second process answers.
struct finding {
    cudaError_t by_number;  ///< import with the number alone
    cudaError_t by_descriptor;  ///< import with a descriptor of its own
    int value;  ///< first int of the allocation
};

/// The second process: tries both.
int import_twice(const lockstep::partner& first) {
    finding found{};
    cudaMemPool_t wrong = nullptr;
    cudaMemPool_t pool = nullptr;
    // [import]
    const auto as_handle = [](int number) {
        return reinterpret_cast<void*>(std::intptr_t{number});
    };
    const int number = first.receive<int>();  // the number, as data
    found.by_number = cudaMemPoolImportFromShareableHandle(&wrong, as_handle(number),
                                                           by_descriptor, 0);
    cudaGetLastError();  // its own status is kept

    int descriptor = -1;  // one of this process, for the same pool
    const auto data = first.receive<cudaMemPoolPtrExportData>(&descriptor);
    found.by_descriptor = cudaMemPoolImportFromShareableHandle(
        &pool, as_handle(descriptor), by_descriptor, 0);
    lockstep::check(found.by_descriptor);
    close(descriptor);  // after the import, it has done its part
    // [/import]
    // [use]
    cudaMemPoolPtrExportData copy = data;  // the call takes no pointer to const
    void* x = nullptr;
    lockstep::check(cudaMemPoolImportPointer(&x, pool, &copy));
    lockstep::check(
        cudaMemcpy(&found.value, x, sizeof found.value, cudaMemcpyDeviceToHost));
    lockstep::check(cudaFree(x));
    lockstep::check(cudaMemPoolDestroy(pool));
    // [/use]
    first.send(found);
    return EXIT_SUCCESS;
}

/// The first process: exports a pool and an allocation.
int export_pool(lockstep::partner second) {
    // [export]
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;  // it does not migrate
    props.handleTypes = by_descriptor;
    props.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    int exported = -1;
    lockstep::check(
        cudaMemPoolExportToShareableHandle(&exported, pool, by_descriptor, 0));
    const int descriptor = dup2(exported, 900);  // only for this demonstration
    close(exported);
    // [/export]
    // [allocate]
    void* x = nullptr;
    const int value = 42;
    cudaMemPoolPtrExportData data{};
    lockstep::check(cudaMallocFromPoolAsync(&x, sizeof value, pool, nullptr));
    lockstep::check(
        cudaMemcpyAsync(x, &value, sizeof value, cudaMemcpyDefault, nullptr));
    lockstep::check(cudaStreamSynchronize(nullptr));
    lockstep::check(cudaMemPoolExportPointer(&data, x));
    // [/allocate]
    // [send]
    second.send(descriptor);  // a number: four bytes
    second.send(data, descriptor);  // data, and the right to the pool
    // [/send]
    const auto found = second.receive<finding>();
    const int status = second.end();
    lockstep::check(cudaFree(x));
    lockstep::check(cudaMemPoolDestroy(pool));
    close(descriptor);
    lockstep::report("import: the number", cudaGetErrorName(found.by_number));
    lockstep::report("import: the descriptor", cudaGetErrorName(found.by_descriptor));
    lockstep::report("value read", found.value);
    const bool right = found.by_number != cudaSuccess && found.value == 42;
    return right && status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    lockstep::require_device();
    if (socket >= 0) return import_twice(lockstep::partner(socket));
    return export_pool(lockstep::partner(argv[0]));
}
