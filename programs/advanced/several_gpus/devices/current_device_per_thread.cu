// Every call works on the current device, and each thread of the host has one of its
// own. It begins as device 0, whatever others have chosen. What is made belongs to the
// device that was current.

#include <cstdlib>
#include <thread>

#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

int current() {
    int device = -1;
    lockstep::check(cudaGetDevice(&device));
    return device;
}

int main() {
    lockstep::require_device(0, 2);

    // [threads]
    lockstep::check(cudaSetDevice(1));
    int at_begin = -1;
    std::thread([&] {
        at_begin = current();
        lockstep::check(cudaSetDevice(0));
    }).join();
    const int afterwards = current();
    // [/threads]
    // [owners]
    void* memory = nullptr;
    lockstep::check(cudaMalloc(&memory, 1024));
    const lockstep::owned_stream stream(cudaStreamDefault);
    lockstep::check(cudaSetDevice(0));
    cudaPointerAttributes attributes{};
    lockstep::check(cudaPointerGetAttributes(&attributes, memory));
    int stream_device = -1;
    lockstep::check(cudaStreamGetDevice(stream, &stream_device));
    // [/owners]
    lockstep::report("a new thread begins with", at_begin);
    lockstep::report("the first thread still has", afterwards);
    lockstep::report("memory belongs to", attributes.device);
    lockstep::report("stream belongs to", stream_device);
    lockstep::check(cudaFree(memory));
    return at_begin == 0 && afterwards == 1 && attributes.device == 1 &&
                   stream_device == 1
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
