#pragma once
/// @file
/// The SMs that a kernel ran on.

#include <algorithm>
#include <set>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/check.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>

namespace lockstep {

/// Numbers of SMs.
using sm_set = std::set<int>;

/// How many numbers two sets have in common.
inline int in_both(const sm_set& a, const sm_set& b) {
    return int(
        std::count_if(a.begin(), a.end(), [&](int sm) { return b.count(sm) != 0; }));
}

/// Marks the SM of each block, which lasts long enough for the others to find one each.
/// @param marks  one int for each SM in device memory; 1 is stored where a block ran
static __global__ void mark_sm(int* marks) {
    unsigned sm = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    marks[sm] = 1;
    busy_wait(20'000);
}

/// Records where the blocks of mark_sm run, launched with blocks() and threads.
class sm_marks {
public:
    /// Threads of a block.
    static constexpr int threads = 128;

    /// Makes an empty record for the current device.
    /// @param file, line  place of the caller; leave them out
    explicit sm_marks(const char* file = __builtin_FILE(), int line = __builtin_LINE())
        : marks_(sms_of_device(file, line), file, line) {
        marks_.fill_bytes(0, file, line);
        check(cudaDeviceSynchronize(), file, line);  // no stream waits for the memset
    }

    /// Enough blocks for every SM of the device, several times over.
    int blocks() const { return 32 * int(marks_.size()); }
    /// The argument of mark_sm.
    int* data() { return marks_.data(); }
    /// The SMs that were marked; call it when the kernels have ended.
    sm_set found() const {
        const std::vector<int> marks = marks_.to_host();
        sm_set sms;
        for (int sm = 0; sm < int(marks.size()); ++sm)
            if (marks[sm]) sms.insert(sm);
        return sms;
    }

private:
    static int sms_of_device(const char* file, int line) {
        int device = 0;
        int sms = 0;
        check(cudaGetDevice(&device), file, line);
        check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device),
              file, line);
        return sms;
    }

    device_buffer<int> marks_;
};

/// Launches mark_sm into a stream and waits for it.
/// @param stream  the stream
/// @return the SMs that it ran on
inline sm_set sms_of(cudaStream_t stream) {
    sm_marks marks;
    mark_sm<<<marks.blocks(), sm_marks::threads, 0, stream>>>(marks.data());
    check(cudaGetLastError());
    check(cudaStreamSynchronize(stream));
    return marks.found();
}

}  // namespace lockstep
