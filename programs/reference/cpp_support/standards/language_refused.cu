// Which language features does nvcc refuse in a kernel? Choose one with -D. The syntax
// of the first six is that of C++20 or older; that of the last two is C++23, which nvcc
// 13.0 does not know.

#ifdef THREAD_LOCAL
__global__ void count() {
    thread_local int calls = 0;
    ++calls;
}
#endif

#ifdef DYNAMIC_STATIC
/// Remembers its first argument.
/// @param n  a number
__global__ void remember(int n) {
    static int first = n;
    first += n;
}
#endif

#ifdef STD_ATOMIC
#include <atomic>
/// Counts its calls.
/// @param calls  one number in device memory
__global__ void count(std::atomic<int>* calls) { ++*calls; }
#endif

#ifdef EXCEPTION
/// Refuses negative numbers.
/// @param n  a number
__global__ void refuse(int n) {
    if (n < 0) throw n;
}
#endif

#ifdef COROUTINE
#include <coroutine>
struct task {
    struct promise_type {
        __device__ task get_return_object() { return {}; }
        __device__ std::suspend_never initial_suspend() { return {}; }
        __device__ std::suspend_never final_suspend() noexcept { return {}; }
        __device__ void return_void() {}
        __device__ void unhandled_exception() {}
    };
};
__device__ task finish() { co_return; }
#endif

#ifdef MODULE
import std;
#endif

#ifdef EXPLICIT_OBJECT
struct number {
    int value;
    template <class T>
    __device__ int get(this T& self) {
        return self.value;
    }
};
#endif

#ifdef TWO_SUBSCRIPTS
struct table {
    int rows[2][2];
    __device__ int operator[](int i, int j) const { return rows[i][j]; }
};
#endif
