// How many domains does the GPU have, and which one does a launch get by default?
// The program reads the device attribute and both attributes of a new stream, and tries
// a domain that does not exist.

#include <cstdlib>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();
    // [count]
    int domains = 0;
    lockstep::check(cudaDeviceGetAttribute(&domains, cudaDevAttrMemSyncDomainCount, 0));
    lockstep::report("domains", domains);
    // [/count]
    // [defaults]
    const lockstep::owned_stream stream;
    cudaLaunchAttributeValue value{};
    lockstep::check(
        cudaStreamGetAttribute(stream, cudaLaunchAttributeMemSyncDomain, &value));
    const bool is_default = value.memSyncDomain == cudaLaunchMemSyncDomainDefault;
    lockstep::report("logical domain", is_default ? "default" : "remote");
    lockstep::check(
        cudaStreamGetAttribute(stream, cudaLaunchAttributeMemSyncDomainMap, &value));
    const cudaLaunchMemSyncDomainMap map = value.memSyncDomainMap;
    lockstep::report("default is mapped to", static_cast<int>(map.default_));
    lockstep::report("remote is mapped to", static_cast<int>(map.remote));
    // [/defaults]
    // [too-far]
    value.memSyncDomainMap.default_ = 0;
    value.memSyncDomainMap.remote = static_cast<unsigned char>(domains);
    const cudaError_t refused =
        cudaStreamSetAttribute(stream, cudaLaunchAttributeMemSyncDomainMap, &value);
    lockstep::report("map to a domain too high", cudaGetErrorName(refused));
    static_cast<void>(cudaGetLastError());  // clears the refusal, which was printed
    // [/too-far]
    const bool right = is_default && map.default_ == 0 && map.remote < domains;
    return right && domains >= 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
