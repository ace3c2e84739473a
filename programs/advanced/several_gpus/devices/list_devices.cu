// Which GPUs are there, and which of them reach each other's memory?

#include <cstdio>
#include <cstdlib>

#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device(0, 2);

    // [list]
    int devices = 0;
    lockstep::check(cudaGetDeviceCount(&devices));
    for (int device = 0; device < devices; ++device) {
        cudaDeviceProp properties{};
        lockstep::check(cudaGetDeviceProperties(&properties, device));
        std::printf("device %d: %s, capability %d.%d, %d SMs\n", device,
                    properties.name, properties.major, properties.minor,
                    properties.multiProcessorCount);
    }
    // [/list]
    // [peers]
    for (int from = 0; from < devices; ++from)
        for (int to = 0; to < devices; ++to) {
            if (from == to) continue;
            int access = 0;
            int atomics = 0;
            lockstep::check(cudaDeviceCanAccessPeer(&access, from, to));
            lockstep::check(cudaDeviceGetP2PAttribute(
                &atomics, cudaDevP2PAttrNativeAtomicSupported, from, to));
            std::printf("device %d reaches device %d: %s, atomics in hardware: %s\n",
                        from, to, access ? "yes" : "no", atomics ? "yes" : "no");
        }
    // [/peers]
    return EXIT_SUCCESS;
}
