#pragma once
// Stands before the site's own timer: work is timed once, not twenty times, since an emulated time
// means nothing.

#define time_on_device time_on_device_often
#include_next <lockstep/timer.hpp>
#undef time_on_device

namespace lockstep {

template <class Work>
timing time_on_device(Work&& work, int = 1, cudaStream_t stream = nullptr) {
    return time_on_device_often(static_cast<Work&&>(work), 1, stream);
}

}  // namespace lockstep
