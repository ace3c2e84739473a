// What does each primitive of <cuda_awbarrier_primitives.h> return? One thread makes
// all arrivals of a barrier that expects three, so every answer is fixed: a wait by
// token or by parity says no until the third arrival. A thread that drops out lowers
// the count of the next phase to two.

#include <cstdlib>

#include <cuda_awbarrier_primitives.h>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int answers = 14;

/// What the primitives returned.
struct findings {
    int said[answers];
    unsigned long long short_wait;  ///< time in __mbarrier_try_wait(), limit 10 us, ns
    unsigned long long long_wait;  ///< the same with a limit of 1000 us
};

/// Calls every primitive; one thread.
/// @param found  in device memory, written
__global__ void call_primitives(findings* found) {
    __shared__ __mbarrier_t barrier;
    int* said = found->said;
    // [first-phase]
    __mbarrier_init(&barrier, 3);
    __mbarrier_arrive(&barrier);
    const __mbarrier_token_t second = __mbarrier_arrive(&barrier);
    *said++ = __mbarrier_test_wait(&barrier, second);
    *said++ = __mbarrier_test_wait_parity(&barrier, false);
    *said++ = __mbarrier_test_wait_parity(&barrier, true);
    const unsigned long long begin = lockstep::now_ns();
    *said++ = __mbarrier_try_wait(&barrier, second, 10'000);
    const unsigned long long middle = lockstep::now_ns();
    *said++ = __mbarrier_try_wait_parity(&barrier, false, 1'000'000);
    const unsigned long long end = lockstep::now_ns();
    const __mbarrier_token_t third = __mbarrier_arrive_and_drop(&barrier);
    *said++ = __mbarrier_test_wait(&barrier, second);
    *said++ = __mbarrier_try_wait(&barrier, third, 10'000);
    *said++ = __mbarrier_test_wait_parity(&barrier, false);
    *said++ = __mbarrier_test_wait_parity(&barrier, true);
    // [/first-phase]
    // [second-phase]
    const __mbarrier_token_t fourth = __mbarrier_arrive(&barrier);
    *said++ = __mbarrier_test_wait(&barrier, fourth);
    __mbarrier_arrive(&barrier);  // the second arrival, and now the last
    *said++ = __mbarrier_try_wait_parity(&barrier, true, 10'000);
    __mbarrier_inval(&barrier);
    barrier = 42;  // the memory is ordinary again
    *said++ = static_cast<int>(barrier);
    __mbarrier_init(&barrier, 1);
    *said++ = __mbarrier_test_wait(&barrier, __mbarrier_arrive(&barrier));
    // [/second-phase]
    *said++ = static_cast<int>(__mbarrier_maximum_count());
    found->short_wait = middle - begin;
    found->long_wait = end - middle;
}

int main() {
    lockstep::require_device(90);

    lockstep::device_buffer<findings> d_found(1);
    d_found.fill_bytes(0xFF);
    call_primitives<<<1, 1>>>(d_found.data());
    lockstep::check(cudaGetLastError());
    const findings found = d_found.to_host()[0];

    const struct {
        const char* label;
        int expected;
    } rows[answers] = {
        {"2 of 3: test_wait", 0},          {"  test_wait_parity(0)", 0},
        {"  test_wait_parity(1)", 1},      {"  try_wait, 10 us", 0},
        {"  try_wait_parity(0), 1 ms", 0}, {"3 of 3: test_wait, token 2", 1},
        {"  try_wait, token 3", 1},        {"  test_wait_parity(0)", 1},
        {"  test_wait_parity(1)", 0},      {"next, 1 of 2: test_wait", 0},
        {"2 of 2: try_wait_parity(1)", 1}, {"after inval: a word", 42},
        {"init(1), arrive: test_wait", 1}, {"maximum_count", (1 << 14) - 1}};
    bool right = true;
    for (int i = 0; i < answers; ++i) {
        const bool number = rows[i].expected > 1;
        if (number)
            lockstep::report(rows[i].label, found.said[i]);
        else
            lockstep::report(rows[i].label, found.said[i] ? "true" : "false");
        right = right && found.said[i] == rows[i].expected;
    }
    right = right && __mbarrier_maximum_count() == (1u << 14) - 1;
    lockstep::report("time of try_wait, 10 us",
                     lockstep::measured{found.short_wait * 1e-3}, "us");
    lockstep::report("time of try_wait, 1 ms",
                     lockstep::measured{found.long_wait * 1e-3}, "us");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
