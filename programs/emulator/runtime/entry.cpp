#include "entry.hpp"

#include <cstring>
#include <utility>
#include <vector>

#ifdef __wasm__
#include <ctime>
#else
#include <atomic>
#include <chrono>
#include <thread>
#endif

#include "clock.hpp"
#include "error_log.hpp"
#include "handles.hpp"
#include "kernels.hpp"
#include "memory.hpp"

namespace emulator {

bool driver_initialized;

namespace {

thread_local cudaError_t last_error;
bool lost_device;  // by a fault: only a new process gets it again
bool context;
std::vector<std::vector<unsigned char>> first_values;  // of the variables, for a context made again

void make_context() {
    if (context) return;
    context = true;
    for (const managed_variable* v = __emu_managed; v->place; ++v) add_managed(v->place, *v->size);
    for (int i = 0; i < __emu_variable_count; ++i) {
        auto* place = static_cast<unsigned char*>(__emu_variables[i].place);
        const size_t bytes = __emu_variables[i].bytes();
        if (first_values.size() <= size_t(i))
            first_values.emplace_back(place, place + bytes);
        else
            memcpy(place, first_values[i].data(), bytes);
    }
}

#ifndef __wasm__
// A host that waits for the device without a call, at memory that both see, would wait for ever:
// after a while of no calls, the work goes on by itself.
std::atomic<uint64_t> last_call;
constexpr auto patience = std::chrono::milliseconds(100);
void touch() {
    static const bool watched = [] {
        begin_own_thread([] {
            for (;;) {
                std::this_thread::sleep_for(patience / 2);
                if (host_nanoseconds() - last_call <
                    uint64_t(std::chrono::nanoseconds(patience).count()))
                    continue;
                if (!entrance.try_lock()) continue;  // who is inside works
                if (sticky == cudaSuccess) work_for_a_while();
                entrance.unlock();
            }
        });
        return true;
    }();
    (void)watched;
    last_call = host_nanoseconds();
}
#else
void touch() {}
#endif

}  // namespace

const void* this_thread() { return &last_error; }
bool context_exists() { return context; }

cudaError_t remember(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
    note_failure(error);
    return error;
}

cudaError_t taken_last_error() { return std::exchange(last_error, cudaSuccess); }
void restore_last_error(cudaError_t error) { last_error = error; }
cudaError_t last_error_seen() { return last_error; }

cudaError_t refuse(cudaError_t error) {
    return look([=] { return error; });
}

cudaError_t admitted() {
    touch();
    driver_initialized = true;
    if (in_host_function()) return cudaErrorNotPermitted;
    if (sticky != cudaSuccess) return sticky;
    if (lost_device) return cudaErrorDevicesUnavailable;
    make_context();
    return cudaSuccess;
}

cudaError_t finished(const work_item& work) {
    finish(work);
    return sticky;
}

void reset_context() {
    if (sticky == cudaSuccess) finish(nullptr);
    lost_device |= sticky != cudaSuccess;
    forget_work();
    release_all();
    forget_kernel_settings();
    orphan_handles();
    context = false;
    heap_limit = hardware::default_heap_bytes;
    last_error = cudaSuccess;
}

}  // namespace emulator

#ifdef __wasm__
// What std::this_thread calls: where the host has one thread only, the device goes on while it
// waits.
extern "C" void __emu_host_waits(long long nanoseconds) {
    using namespace emulator;
    constexpr long long second = 1'000'000'000;
    const timespec time{time_t(nanoseconds / second), long(nanoseconds % second)};
    if (nanoseconds > 0) nanosleep(&time, nullptr);
    if (context_exists() && !in_host_function() && sticky == cudaSuccess) work_for_a_while();
}
#endif
