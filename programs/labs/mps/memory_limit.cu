// CUDA_MPS_PINNED_DEVICE_MEM_LIMIT says how much memory of a GPU a client of the
// Multi-Process Service may allocate. What does such a client see, and which calls does
// the limit hold for? Each client allocates pieces of 256 MiB, 16 at most.

#include <cstdlib>
#include <string>

#include <lockstep/check.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/mps.hpp>
#include <lockstep/partner.hpp>

constexpr int most = 16;
constexpr std::size_t piece = std::size_t(256) << 20;

/// What a client answers.
struct finding {
    std::size_t total;  ///< memory of the GPU, in bytes, as cudaMemGetInfo says
    std::size_t free;  ///< memory that is free, in bytes, as it says
    int pieces;  ///< so many were allocated
    cudaError_t refusal;  ///< what the next allocation returned
    cudaError_t ordered;  ///< what cudaMallocAsync returned after that
};

/// A client.
int allocate(const lockstep::partner& parent) {
    finding found{};
    // [allocate]
    lockstep::check(cudaMemGetInfo(&found.free, &found.total));
    while (found.pieces < most && found.refusal == cudaSuccess) {
        void* memory = nullptr;
        found.refusal = cudaMalloc(&memory, piece);
        if (found.refusal == cudaSuccess) ++found.pieces;
    }
    void* memory = nullptr;
    found.ordered = cudaMallocAsync(&memory, piece, nullptr);
    // [/allocate]
    parent.send(found);
    return EXIT_SUCCESS;  // the context ends, and its memory is free again
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    if (socket >= 0) return allocate(lockstep::partner(socket));
    lockstep::require_mps();

    int pieces[2] = {};
    for (const bool limited : {false, true}) {
        // [limit]
        const lockstep::inherited limit("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT",
                                        limited ? "0=2G" : nullptr);  // of device 0
        const auto found = lockstep::partner(argv[0]).receive<finding>();
        // [/limit]
        const std::string name = limited ? "limit 2 GiB: " : "no limit: ";
        lockstep::report((name + "total").c_str(),
                         lockstep::measured{double(found.total >> 20)}, "MiB");
        lockstep::report((name + "free").c_str(),
                         lockstep::measured{double(found.free >> 20)}, "MiB");
        lockstep::report((name + "pieces").c_str(), found.pieces);
        lockstep::report((name + "cudaMalloc").c_str(),
                         cudaGetErrorName(found.refusal));
        lockstep::report((name + "Async").c_str(), cudaGetErrorName(found.ordered));
        pieces[limited] = found.pieces;
    }
    return pieces[0] == most && pieces[1] < most ? EXIT_SUCCESS : EXIT_FAILURE;
}
