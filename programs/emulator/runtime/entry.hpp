// How a call of the API enters the runtime: one thread at a time, and its error is remembered.
#pragma once

#include "host_functions.hpp"
#include "streams.hpp"
#include "turnstile.hpp"

namespace emulator {

const void* this_thread();  // a name for the thread of the host
cudaError_t remember(cudaError_t error);
cudaError_t taken_last_error();
void restore_last_error(cudaError_t error);
cudaError_t last_error_seen();
extern bool driver_initialized;  // by any call that asks it, or cuInit
bool context_exists();  // made by the first call that needs one
void reset_context();   // cudaDeviceReset: all that it held is gone
cudaError_t admitted();  // an error for which the call may go no further, or cudaSuccess

// Runs the body of an API function that needs no context.
template <class F>
cudaError_t look(F&& body) {
    entry_lock lock;
    (void)lock;
    driver_initialized = true;
    return in_host_function() ? remember(cudaErrorNotPermitted) : remember(body());
}

cudaError_t refuse(cudaError_t error);

// Runs the body of an API function.
template <class F>
cudaError_t enter(F&& body) {
    entry_lock lock;
    (void)lock;
    const cudaError_t error = admitted();
    return remember(error != cudaSuccess ? error : body());
}

// For functions that also wait: what the work does wrong is theirs to report.
cudaError_t finished(const work_item& work);

}  // namespace emulator
