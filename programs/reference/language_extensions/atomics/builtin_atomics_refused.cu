// What do the built-in atomic functions refuse? Each -D chooses one call. All errors
// but the last come from the front end of nvcc; the last one comes from ptxas, for a
// call that the front end accepts.

#define DEVICE __NV_THREAD_SCOPE_DEVICE

/// One refused call. @param word   device memory
/// @param widest device memory
/// @param small  device memory
/// @param real   device memory
/// @param wide   device memory
/// @param order  a memory order that is known at run time only
__global__ void refused(int* word, short* small, float* real, long long* wide,
                        __int128* widest, int order) {
#ifdef RELEASING_LOAD
    *small = __nv_atomic_load_n(word, __NV_ATOMIC_RELEASE, DEVICE);
#endif
#ifdef ACQUIRING_STORE
    __nv_atomic_store_n(word, 1, __NV_ATOMIC_ACQUIRE, DEVICE);
#endif
#ifdef VARIABLE_ORDER
    __nv_atomic_add(word, 1, order, DEVICE);
#endif
#ifdef SMALL_ADD
    __nv_atomic_add(small, 1, __NV_ATOMIC_RELAXED, DEVICE);
#endif
#ifdef SIGNED_64_BIT_ADD
    __nv_atomic_add(wide, 1LL, __NV_ATOMIC_RELAXED, DEVICE);
#endif
#ifdef FLOAT_MAX
    __nv_atomic_max(real, 1.0f, __NV_ATOMIC_RELAXED, DEVICE);
#endif
#ifdef FLOAT_AND
    __nv_atomic_and(real, 1.0f, __NV_ATOMIC_RELAXED, DEVICE);
#endif
#ifdef FLOAT_LOAD_BY_VALUE
    *word = __nv_atomic_load_n(real, __NV_ATOMIC_RELAXED, DEVICE);
#endif
#ifdef SMALL_EXCHANGE
    __nv_atomic_exchange_n(small, 1, __NV_ATOMIC_RELAXED, DEVICE);
#endif
#ifdef ADDRESS_TAKEN
    auto* function = &__nv_atomic_thread_fence;
    function(__NV_ATOMIC_SEQ_CST, DEVICE);
#endif
#ifdef EXCHANGE_128
    __nv_atomic_exchange_n(widest, 1, __NV_ATOMIC_RELAXED, DEVICE);
#endif
#ifdef STORE_128_BY_VALUE
    __nv_atomic_store_n(widest, 1, __NV_ATOMIC_SEQ_CST, DEVICE);
#endif
}
