// The barrier's primitives for C.
#pragma once

#include "emulator/async.h"

#include <stdint.h>

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

static __host__ __device__ __inline__ uint32_t __mbarrier_maximum_count() { return (1 << 14) - 1; }
__EMU_DEVICE void __mbarrier_init(__mbarrier_t* barrier, uint32_t expected, __EMU_PLACE) {
    __emu_mbarrier_init(barrier, expected, file, line);
}
__EMU_DEVICE void __mbarrier_inval(__mbarrier_t* barrier, __EMU_PLACE) {
    __emu_mbarrier_inval(barrier, file, line);
}
__EMU_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier, __EMU_PLACE) {
    return __emu_mbarrier_arrive(barrier, 1, 0, 0, file, line);
}
__EMU_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier, __EMU_PLACE) {
    return __emu_mbarrier_arrive(barrier, 1, 0, emulator_abi::arrival_drops, file, line);
}
__EMU_DEVICE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
    return uint32_t(token) & ((1U << emulator_abi::token_held_bit) - 1);
}
__EMU_DEVICE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token,
                                       __EMU_PLACE) {
    return __emu_mbarrier_wait(barrier, token, emulator_abi::wait_test, file, line);
}
__EMU_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity, __EMU_PLACE) {
    return __emu_mbarrier_wait(barrier, parity, emulator_abi::wait_test | emulator_abi::wait_parity,
                               file, line);
}
__EMU_DEVICE bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, uint32_t,
                                      __EMU_PLACE) {
    return __emu_mbarrier_wait(barrier, token, emulator_abi::wait_try, file, line);
}
__EMU_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, uint32_t,
                                             __EMU_PLACE) {
    return __emu_mbarrier_wait(barrier, parity, emulator_abi::wait_try | emulator_abi::wait_parity,
                               file, line);
}
