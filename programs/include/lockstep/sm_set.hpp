#pragma once
/// @file
/// The SMs that a kernel ran on.

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include <cuda_runtime.h>

#include <lockstep/check.hpp>
#include <lockstep/device_clock.hpp>

namespace lockstep {

/// Numbers of SMs.
using sm_set = std::set<int>;

/// How many numbers two sets have in common.
inline int in_both(const sm_set& a, const sm_set& b) {
    return static_cast<int>(
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
    explicit sm_marks(const char* file = __builtin_FILE(),
                      int line = __builtin_LINE()) {
        int device = 0;
        check(cudaGetDevice(&device), file, line);
        check(cudaDeviceGetAttribute(&sms_, cudaDevAttrMultiProcessorCount, device),
              file, line);
        check(cudaMalloc(&marks_, static_cast<std::size_t>(sms_) * sizeof(int)), file,
              line);
        check(cudaMemset(marks_, 0, static_cast<std::size_t>(sms_) * sizeof(int)), file,
              line);
        check(cudaDeviceSynchronize(), file, line);  // no stream waits for the memset
    }
    sm_marks& operator=(sm_marks&&) = delete;  // and so no copy
    ~sm_marks() { cudaFree(marks_); }

    /// Enough blocks for every SM of the device, several times over.
    int blocks() const { return 32 * sms_; }
    /// The argument of mark_sm.
    int* data() { return marks_; }
    /// The SMs that were marked; call it when the kernels have ended.
    sm_set found() const {
        std::vector<int> marks(static_cast<std::size_t>(sms_));
        check(cudaMemcpy(marks.data(), marks_, marks.size() * sizeof(int),
                         cudaMemcpyDeviceToHost));
        sm_set sms;
        for (int sm = 0; sm < sms_; ++sm)
            if (marks[static_cast<std::size_t>(sm)]) sms.insert(sm);
        return sms;
    }

private:
    int* marks_ = nullptr;
    int sms_ = 0;
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
