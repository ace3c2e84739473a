// When does a batch read its sources? As a stream would, later; or during the call, so
// that even a local variable may serve as the source. Two sources change right after
// the call: one had been read by then, the other had not.

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

int main() {
    lockstep::require_device();

    int* pinned = nullptr;
    lockstep::check(cudaMallocHost(&pinned, sizeof(int)));
    lockstep::device_buffer<int> d_from_pinned(1);
    lockstep::device_buffer<int> d_from_local(1);
    d_from_pinned.fill_bytes(0);
    d_from_local.fill_bytes(0);
    const lockstep::owned_stream stream;
    lockstep::stream_latch latch;
    lockstep::check(cudaDeviceSynchronize());
    latch.hold(stream);  // nothing in the stream runs yet

    // [batch]
    int local = 1;
    *pinned = 1;
    void* to[] = {d_from_pinned.data(), d_from_local.data()};
    const void* from[] = {pinned, &local};
    const std::size_t sizes[] = {sizeof(int), sizeof(int)};
    cudaMemcpyAttributes attributes[2]{};
    attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
    // copy 0 has the first attributes, copy 1 and all after it the second
    std::size_t first[] = {0, 1};
    lockstep::check(
        cudaMemcpyBatchAsync(to, from, sizes, 2, attributes, first, 2, stream));
    local = 2;
    *pinned = 2;
    // [/batch]
    latch.open();
    lockstep::check(cudaStreamSynchronize(stream));
    const int from_pinned = d_from_pinned.to_host()[0];
    const int from_local = d_from_local.to_host()[0];
    lockstep::report("copied in stream order", from_pinned);
    lockstep::report("copied during the call", from_local);
    lockstep::check(cudaFreeHost(pinned));
    return from_pinned == 2 && from_local == 1 && !latch.gave_up() ? EXIT_SUCCESS
                                                                   : EXIT_FAILURE;
}
