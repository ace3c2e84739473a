// How does an application place its streams in domains? One stream keeps the usual map,
// and a launch in it chooses the remote domain. Two other streams map both logical
// domains to one physical domain each, whatever their launches choose.

#include <cstdlib>
#include <vector>

#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1 << 16;

/// Adds one to each element.
/// @param x  n ints in device memory, changed
__global__ void raise(int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}

// [set]
/// Maps both logical domains of a stream.
void map_domains(cudaStream_t stream, int of_default, int of_remote) {
    cudaLaunchAttributeValue value{};
    value.memSyncDomainMap.default_ = static_cast<unsigned char>(of_default);
    value.memSyncDomainMap.remote = static_cast<unsigned char>(of_remote);
    lockstep::check(
        cudaStreamSetAttribute(stream, cudaLaunchAttributeMemSyncDomainMap, &value));
}
// [/set]

/// Reads the map of a stream back, as two digits.
int mapped(cudaStream_t stream) {
    cudaLaunchAttributeValue value{};
    lockstep::check(
        cudaStreamGetAttribute(stream, cudaLaunchAttributeMemSyncDomainMap, &value));
    return value.memSyncDomainMap.default_ * 10 + value.memSyncDomainMap.remote;
}

// [launch]
/// Launches the kernel, and says that it writes to other devices or the host.
void raise_as_remote(cudaStream_t stream, int* x) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeMemSyncDomain;
    attribute.val.memSyncDomain = cudaLaunchMemSyncDomainRemote;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(n / 256);
    config.blockDim = dim3(256);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    lockstep::check(cudaLaunchKernelEx(&config, raise, x));
}
// [/launch]

int main() {
    lockstep::require_device(90);
    const lockstep::owned_stream usual, a, b;
    lockstep::device_buffer<int> x(n), y(n), z(n);
    for (auto* each : {&x, &y, &z}) each->fill_bytes(0);
    lockstep::check(cudaDeviceSynchronize());
    // [streams]
    map_domains(a, 0, 0);
    map_domains(b, 1, 1);
    raise<<<n / 256, 256, 0, usual>>>(x.data());  // domain 0
    lockstep::check(cudaGetLastError());
    raise_as_remote(usual, x.data());  // domain 1
    raise_as_remote(a, y.data());  // domain 0
    raise<<<n / 256, 256, 0, b>>>(z.data());  // domain 1
    lockstep::check(cudaGetLastError());
    // [/streams]
    lockstep::check(cudaDeviceSynchronize());
    const auto wrong = [](const lockstep::device_buffer<int>& found, int expected) {
        return lockstep::count_mismatches(found.to_host(),
                                          std::vector<int>(n, expected));
    };
    const auto mistakes = wrong(x, 2) + wrong(y, 1) + wrong(z, 1);
    const auto show = [](const char* to_default, const char* to_remote, int map) {
        lockstep::report(to_default, map / 10);
        lockstep::report(to_remote, map % 10);
        return map;
    };
    const int map_a = show("a: default to", "a: remote to", mapped(a));
    const int map_b = show("b: default to", "b: remote to", mapped(b));
    lockstep::report("wrong elements", mistakes);
    return mistakes == 0 && map_a == 0 && map_b == 11 ? EXIT_SUCCESS : EXIT_FAILURE;
}
