#pragma once
// Stands before the site's own: work is timed once, not twenty times, since an emulated time means
// nothing.

#define time_on_host time_on_host_often
#include_next <lockstep/host_timer.hpp>
#undef time_on_host

namespace lockstep {

template <class Work>
timing time_on_host(Work&& work, int = 1) {
    return time_on_host_often(static_cast<Work&&>(work), 1);
}

}  // namespace lockstep
