// Memory of the host that is page-locked twice.

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
static cudaError_t fixed() {
    std::vector<int> host(1 << 20);
    lockstep::check(cudaHostRegister(host.data(), host.size() * sizeof(int),
                                     cudaHostRegisterDefault));
    return cudaHostUnregister(host.data());
}
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorHostMemoryAlreadyRegistered,
                                  wrong, fixed);
}
