// Each thread of the host has a stack of contexts, and the one on top is current. A
// library with a context of its own pushes it, works, and pops it, and the caller sees
// no difference.

#include <cstdlib>
#include <thread>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>

/// The current context's letter.
const char* current(CUcontext a, CUcontext b) {
    CUcontext now = nullptr;
    lockstep::check(cuCtxGetCurrent(&now));
    return now == a ? "A" : now == b ? "B" : now ? "another" : "none";
}

// [library]
/// Stands for a library that has a context of its own.
void library_call(CUcontext own) {
    lockstep::check(cuCtxPushCurrent(own));
    CUdeviceptr memory = 0;
    lockstep::check(cuMemAlloc(&memory, 1024));  // in its own context
    lockstep::check(cuMemFree(memory));
    lockstep::check(cuCtxPopCurrent(nullptr));
}
// [/library]

int main() {
    lockstep::check(cuInit(0));
    CUdevice device = 0;
    lockstep::check(cuDeviceGet(&device, 0));

    // [stack]
    CUcontext a = nullptr;
    CUcontext b = nullptr;
    lockstep::check(cuCtxCreate(&a, nullptr, 0, device));
    lockstep::check(cuCtxCreate(&b, nullptr, 0, device));
    const char* created = current(a, b);
    lockstep::check(cuCtxPopCurrent(nullptr));
    const char* popped = current(a, b);
    library_call(b);
    const char* after_library = current(a, b);
    const char* other_thread = nullptr;
    const char* pushed_there = nullptr;
    std::thread([&] {
        other_thread = current(a, b);
        lockstep::check(cuCtxPushCurrent(b));
        pushed_there = current(a, b);
        lockstep::check(cuCtxPopCurrent(nullptr));
    }).join();
    lockstep::check(cuCtxDestroy(b));
    lockstep::check(cuCtxDestroy(a));
    const char* destroyed = current(a, b);
    // [/stack]
    lockstep::report("after creating A, then B", created);
    lockstep::report("after popping B", popped);
    lockstep::report("after the library call", after_library);
    lockstep::report("in a new thread", other_thread);
    lockstep::report("after pushing B there", pushed_there);
    lockstep::report("after destroying both", destroyed);
    return *created == 'B' && *popped == 'A' && *after_library == 'A' &&
                   *other_thread == 'n' && *pushed_there == 'B'
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
