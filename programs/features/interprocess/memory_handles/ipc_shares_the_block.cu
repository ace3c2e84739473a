// How much does a handle share? One process makes two allocations and exports only the
// second. The other process opens the handle and tries to read the first one, at the
// distance that the two have. Small allocations lie in one block, which is shared
// whole; those of 2 MiB have a block each.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [message]
/// What the first process sends.
struct offer {
    cudaIpcMemHandle_t handle;  ///< of the allocation that is meant to be shared
    long long to_neighbor;      ///< from there to the one that is not, in bytes
};
// [/message]

/// What the second process answers.
struct finding {
    int shared;         ///< the first int of the allocation
    int neighbor;       ///< the first int of the other one
    cudaError_t error;  ///< of the second read
};

/// Reads one int.
/// @param from  where, in device memory
/// @param to    one int in device memory, written
__global__ void read(const int* from, int* to) { *to = *from; }

// [look]
/// The second process: reads what it was given, and then what it was not.
int import_and_look(const lockstep::partner& first) {
    const auto given = first.receive<offer>();
    void* opened = nullptr;
    int* d_seen = nullptr;
    int seen = 0;
    lockstep::check(cudaMalloc(&d_seen, sizeof(int)));
    lockstep::check(
        cudaIpcOpenMemHandle(&opened, given.handle, cudaIpcMemLazyEnablePeerAccess));
    const auto read_at = [&](const void* from) {
        read<<<1, 1>>>(static_cast<const int*>(from), d_seen);
        const cudaError_t launched = cudaGetLastError();
        if (launched != cudaSuccess) return launched;
        return cudaMemcpy(&seen, d_seen, sizeof seen, cudaMemcpyDefault);
    };
    finding found{};
    lockstep::check(read_at(opened));
    found.shared = seen;
    found.error = read_at(static_cast<const char*>(opened) + given.to_neighbor);
    found.neighbor = seen;
    first.send(found);
    return EXIT_SUCCESS;  // the end of the process closes the handle
}
// [/look]

/// The first process: exports one allocation of two.
/// @param second  the process that looks
/// @param size    bytes of each
/// @return what the second process read, or the error that it got
finding export_one(lockstep::partner second, std::size_t size) {
    // [offer]
    char* secret = nullptr;
    char* shared = nullptr;
    lockstep::check(cudaMalloc(&secret, size));
    lockstep::check(cudaMalloc(&shared, size));
    const int private_number = 1234, public_number = 42;
    lockstep::check(
        cudaMemcpy(secret, &private_number, sizeof(int), cudaMemcpyDefault));
    lockstep::check(cudaMemcpy(shared, &public_number, sizeof(int), cudaMemcpyDefault));
    offer offered{};
    lockstep::check(cudaIpcGetMemHandle(&offered.handle, shared));  // of this one alone
    offered.to_neighbor = secret - shared;  // two allocations: undefined in C++
    second.send(offered);
    // [/offer]
    const finding found = second.receive<finding>();
    second.end();
    lockstep::check(cudaFree(shared));
    lockstep::check(cudaFree(secret));
    return found;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    lockstep::require_device();
    if (socket >= 0) return import_and_look(lockstep::partner(socket));

    const auto show = [](const char* shared, const char* neighbor, const finding& f) {
        lockstep::report(shared, f.shared);
        if (f.error != cudaSuccess)
            lockstep::report(neighbor, cudaGetErrorName(f.error));
        else
            lockstep::report(neighbor, f.neighbor == 1234 ? "1234" : "another number");
        return f.shared == 42;
    };
    const finding small = export_one(lockstep::partner(argv[0]), 1024);
    const finding large = export_one(lockstep::partner(argv[0]), 2 << 20);
    show("1 KiB: shared", "1 KiB: its neighbor", small);
    const bool right = show("2 MiB: shared", "2 MiB: its neighbor", large);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
