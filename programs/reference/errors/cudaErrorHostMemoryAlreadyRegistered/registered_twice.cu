// Memory of the host that is page-locked twice.

#include <cstddef>
#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/expect_error.hpp>

// [wrong]
static cudaError_t wrong() {
    std::vector<int> host(1 << 20);
    lockstep::check(cudaHostRegister(host.data(), host.size() * sizeof(int),
                                     cudaHostRegisterDefault));
    const cudaError_t error =
        cudaHostRegister(host.data(), 4096, cudaHostRegisterDefault);
    lockstep::check(cudaHostUnregister(host.data()));
    return error;
}
// [/wrong]

// [fixed]
/// Page-locks memory, unless it is page-locked already.
static cudaError_t register_once(void* memory, std::size_t bytes) {
    cudaPointerAttributes found{};
    lockstep::check(cudaPointerGetAttributes(&found, memory));
    if (found.type == cudaMemoryTypeHost) return cudaSuccess;  // page-locked already
    return cudaHostRegister(memory, bytes, cudaHostRegisterDefault);
}

static cudaError_t fixed() {
    std::vector<int> host(1 << 20);
    lockstep::check(register_once(host.data(), host.size() * sizeof(int)));
    const cudaError_t error = register_once(host.data(), 4096);
    lockstep::check(cudaHostUnregister(host.data()));
    return error;
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorHostMemoryAlreadyRegistered,
                                  wrong, fixed);
}
