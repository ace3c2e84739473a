// Who may use a pool's memory? Its own device, always. Every other device needs a
// permission of the pool, and must be able to reach it; enabling peer access changes
// nothing for pools. What a machine with one GPU can show: access of the pool's own
// device, and what is refused.

#include <cstdlib>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [allow]
/// Allows a device to use all memory of a pool, earlier and later allocations.
/// @param pool   the pool
/// @param owner  device on which the pool's memory lies
/// @param user   device that is to read and write it
cudaError_t allow(cudaMemPool_t pool, int owner, int user) {
    int reachable = 0;
    const cudaError_t error = cudaDeviceCanAccessPeer(&reachable, user, owner);
    if (error != cudaSuccess) return error;
    if (!reachable) return cudaErrorPeerAccessUnsupported;
    cudaMemAccessDesc permission{};
    permission.location.type = cudaMemLocationTypeDevice;
    permission.location.id = user;
    permission.flags = cudaMemAccessFlagsProtReadWrite;
    return cudaMemPoolSetAccess(pool, &permission, 1);
}
// [/allow]

int main() {
    lockstep::require_device();

    int devices = 0;
    lockstep::check(cudaGetDeviceCount(&devices));
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaDeviceGetDefaultMemPool(&pool, 0));
    bool as_known = true;
    const auto expect = [&](const char* label, cudaError_t found, cudaError_t known) {
        lockstep::report(label, cudaGetErrorName(found));
        cudaGetLastError();  // forget it
        as_known = as_known && found == known;
    };
    // [own]
    cudaMemLocation own{};
    own.type = cudaMemLocationTypeDevice;
    own.id = 0;
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    lockstep::check(cudaMemPoolGetAccess(&flags, pool, &own));
    lockstep::report("its device reads, writes",
                     flags == cudaMemAccessFlagsProtReadWrite);
    cudaMemAccessDesc nothing{};
    nothing.location = own;
    nothing.flags = cudaMemAccessFlagsProtNone;
    expect("revoke that", cudaMemPoolSetAccess(pool, &nothing, 1),
           cudaErrorInvalidDevice);
    // [/own]
    // [others]
    expect("allow the device itself", allow(pool, 0, 0),
           cudaErrorPeerAccessUnsupported);
    cudaMemAccessDesc missing{};
    missing.location.type = cudaMemLocationTypeDevice;
    missing.location.id = devices;  // the last one has the number devices - 1
    missing.flags = cudaMemAccessFlagsProtReadWrite;
    expect("allow a device not there", cudaMemPoolSetAccess(pool, &missing, 1),
           cudaErrorInvalidDevice);
    // [/others]
    // [peers]
    CUcontext context = nullptr;
    lockstep::check(cudaFree(nullptr));  // creates the primary context
    lockstep::check(cuCtxGetCurrent(&context));
    const CUresult peer = cuCtxEnablePeerAccess(context, 0);
    expect("peer access to itself", cudaDeviceEnablePeerAccess(0, 0),
           cudaErrorPeerAccessUnsupported);
    // [/peers]
    lockstep::report("the same, driver API", lockstep::name_of(peer));
    return as_known ? EXIT_SUCCESS : EXIT_FAILURE;
}
