// Which windows does the runtime refuse? The program sets windows on a stream that
// break one rule each, and prints what the call returns and the size that the stream
// then reports.

#include <cstdio>
#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device(80);
    int largest = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&largest, cudaDevAttrMaxAccessPolicyWindowSize, 0));
    const std::size_t too_many = std::size_t(largest) + 1;
    lockstep::device_buffer<char> d_x(too_many);
    int on_host = 0;

    cudaAccessPolicyWindow good{};
    good.base_ptr = d_x.data();
    good.num_bytes = 1 << 20;
    good.hitRatio = 1;
    good.hitProp = cudaAccessPropertyPersisting;
    good.missProp = cudaAccessPropertyStreaming;

    std::printf("%-34s%-24s%s\n", "window", "error", "window then, bytes");
    const auto set = [&](const char* label, const cudaAccessPolicyWindow& window) {
        const lockstep::owned_stream stream;
        cudaStreamAttrValue value{};
        value.accessPolicyWindow = window;
        const cudaError_t error = cudaStreamSetAttribute(
            stream, cudaStreamAttributeAccessPolicyWindow, &value);
        cudaStreamAttrValue found{};
        lockstep::check(cudaStreamGetAttribute(
            stream, cudaStreamAttributeAccessPolicyWindow, &found));
        std::printf("%-34s%-24s%zu\n", label, cudaGetErrorName(error),
                    found.accessPolicyWindow.num_bytes);
        static_cast<void>(cudaGetLastError());  // clears the refusal, which was printed
        return error == cudaSuccess;
    };

    const bool accepted = set("1 MiB", good);
    // [cases]
    cudaAccessPolicyWindow window = good;
    window.num_bytes = largest;
    set("as large as the device allows", window);
    window.num_bytes = too_many;
    set("one byte more", window);

    window = good;
    window.missProp = cudaAccessPropertyPersisting;
    set("missProp persisting", window);

    window = good;
    window.hitRatio = 1.5f;
    set("hitRatio 1.5", window);
    window.hitRatio = -0.5f;
    set("hitRatio -0.5", window);

    window = good;
    window.base_ptr = &on_host;
    window.num_bytes = sizeof(int);
    set("a variable of the host", window);
    window = good;
    window.base_ptr = d_x.data() + 1;
    set("an odd address", window);
    // [/cases]
    return accepted ? EXIT_SUCCESS : EXIT_FAILURE;
}
