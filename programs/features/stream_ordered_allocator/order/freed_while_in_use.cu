// What if memory is freed in one stream while another still reads it? The next
// allocation receives the same memory and overwrites it, so the reader finds the words
// of its successor. No call fails. An event before the free prevents it.

#include <cstdlib>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

/// Stores a number.
/// @param x       one int in device memory, written
/// @param number  the number
__global__ void store(int* x, int number) { *x = number; }

/// Copies a number.
/// @param from  one int in device memory
/// @param to    one int in device memory, written
__global__ void fetch(const int* from, int* to) { *to = *from; }

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool waits = !options.flag("no-wait");
    options.finish();
    lockstep::require_device();

    const lockstep::owned_stream writer, reader;
    const lockstep::owned_event stored(cudaEventDisableTiming);
    const lockstep::owned_event fetched(cudaEventDisableTiming);
    lockstep::device_buffer<int> d_found(1);
    d_found.fill_bytes(0xFF);
    lockstep::stream_latch latch;
    lockstep::load_kernels(store, fetch);
    lockstep::check(cudaDeviceSynchronize());

    // [streams]
    int* first = nullptr;
    int* second = nullptr;
    lockstep::check(cudaMallocAsync(&first, sizeof(int), writer));
    store<<<1, 1, 0, writer>>>(first, 1);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(stored, writer));

    lockstep::check(cudaStreamWaitEvent(reader, stored));
    latch.hold(reader);  // the reader is late
    fetch<<<1, 1, 0, reader>>>(first, d_found.data());
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaEventRecord(fetched, reader));

    if (waits) lockstep::check(cudaStreamWaitEvent(writer, fetched));
    lockstep::check(cudaFreeAsync(first, writer));
    lockstep::check(cudaMallocAsync(&second, sizeof(int), writer));
    store<<<1, 1, 0, writer>>>(second, 2);
    lockstep::check(cudaGetLastError());
    // [/streams]
    if (!waits) lockstep::check(cudaStreamSynchronize(writer));
    latch.open();
    lockstep::check(cudaDeviceSynchronize());
    lockstep::check(cudaFreeAsync(second, writer));

    const int found = d_found.to_host()[0];
    lockstep::report("same address again", first == second);
    lockstep::report("stored for the reader", 1);
    lockstep::report("the reader found", found);
    // a tool that runs kernels one by one makes the latch give up: then nothing is
    // shown
    const bool as_shown = found == (waits ? 1 : 2) || latch.gave_up();
    return as_shown ? EXIT_SUCCESS : EXIT_FAILURE;
}
