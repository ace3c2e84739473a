// Five batches of one copy each. Which of them does the runtime take?

#include <cstdlib>

#include <lockstep/device_buffer.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int main() {
    lockstep::require_device();

    lockstep::device_buffer<int> a(1);
    lockstep::device_buffer<int> b(1);
    const lockstep::owned_stream stream;
    // [try]
    const auto attempt = [&](cudaMemcpySrcAccessOrder order, std::size_t first,
                             cudaStream_t where) {
        void* to[] = {b.data()};
        const void* from[] = {a.data()};
        const std::size_t sizes[] = {sizeof(int)};
        cudaMemcpyAttributes attributes{};
        attributes.srcAccessOrder = order;
        return cudaMemcpyBatchAsync(to, from, sizes, 1, &attributes, &first, 1, where);
    };
    constexpr auto order = cudaMemcpySrcAccessOrderStream;
    const cudaError_t null_stream = attempt(order, 0, nullptr);
    const cudaError_t no_order = attempt(cudaMemcpySrcAccessOrderInvalid, 0, stream);
    const cudaError_t second_first = attempt(order, 1, stream);
    const cudaError_t own_stream = attempt(order, 0, stream);
    const cudaError_t thread_stream = attempt(order, 0, cudaStreamPerThread);
    // [/try]
    cudaGetLastError();  // the refusals are looked at below
    lockstep::check(cudaDeviceSynchronize());
    lockstep::report("NULL stream", cudaGetErrorName(null_stream));
    lockstep::report("no source order", cudaGetErrorName(no_order));
    lockstep::report("first index is 1", cudaGetErrorName(second_first));
    lockstep::report("own stream", cudaGetErrorName(own_stream));
    lockstep::report("thread's default stream", cudaGetErrorName(thread_stream));
    const bool refused = null_stream != cudaSuccess && no_order != cudaSuccess &&
                         second_first != cudaSuccess;
    return refused && own_stream == cudaSuccess && thread_stream == cudaSuccess
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
