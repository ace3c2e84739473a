#pragma once
// Stands before the site's own timer: work is timed once, not twenty times, since an emulated time
// means nothing.

#define time_on_device time_on_device_often
#define time_on_host time_on_host_often
#define time_back_to_back time_back_to_back_often
#include_next <lockstep/timer.hpp>
#undef time_on_device
#undef time_on_host
#undef time_back_to_back

namespace lockstep {

template <class Work>
timing time_on_device(Work&& work, int = 1, cudaStream_t stream = nullptr) {
    return time_on_device_often(static_cast<Work&&>(work), 1, stream);
}

template <class Work>
timing time_back_to_back(Work&& work, int = 1, cudaStream_t stream = nullptr) {
    return time_on_device(static_cast<Work&&>(work), 1, stream);
}

template <class Work>
timing time_on_host(Work&& work, int = 1) {
    return time_on_host_often(static_cast<Work&&>(work), 1);
}

}  // namespace lockstep
