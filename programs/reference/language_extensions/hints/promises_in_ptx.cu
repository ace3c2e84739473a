// What do promises to the compiler change? Four kernels come in two forms each, without
// and with a built-in function that tells the compiler what it cannot know. The results
// are the same, the PTX is not.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

// [assume]
/// Divides by 8.
/// @param n  a number that is not negative
/// @param x  one int in device memory, written
__global__ void divide(int n, int* x) { *x = n / 8; }

/// The same, with a promise.
/// @param n  a number that is not negative
/// @param x  one int in device memory, written
__global__ void divide_assumed(int n, int* x) {
    __builtin_assume(n >= 0);
    *x = n / 8;
}
// [/assume]

// [aligned]
/// Adds four numbers.
/// @param n  a number to add
/// @param x  four ints in device memory, aligned to 16 bytes; the first is replaced
__global__ void add(int n, int* x) { x[0] = n + x[0] + x[1] + x[2] + x[3]; }

/// The same, with a promise.
/// @param n  a number to add
/// @param x  four ints in device memory, aligned to 16 bytes; the first is replaced
__global__ void add_aligned(int n, int* x) {
    int* const y = static_cast<int*>(__builtin_assume_aligned(x, 16));
    y[0] = n + y[0] + y[1] + y[2] + y[3];
}
// [/aligned]

// [unreachable]
/// Chooses one of three.
/// @param n  0, 1 or 2
/// @param x  four ints in device memory; the first is replaced
__global__ void choose(int n, int* x) {
    switch (n) {
        case 0: x[0] = x[1] + 1; break;
        case 1: x[0] = x[2] * 3; break;
        case 2: x[0] = x[3] ^ 9; break;
    }
}

/// The same, with a promise.
/// @param n  0, 1 or 2
/// @param x  four ints in device memory; the first is replaced
__global__ void choose_reachable(int n, int* x) {
    switch (n) {
        case 0: x[0] = x[1] + 1; break;
        case 1: x[0] = x[2] * 3; break;
        case 2: x[0] = x[3] ^ 9; break;
        default: __builtin_unreachable();
    }
}
// [/unreachable]

// [expect]
/// Divides in the usual case, and multiplies in the rare one.
/// @param n  a number
/// @param x  four ints in device memory; the first is replaced
__global__ void usually_divide(int n, int* x) {
    if (__builtin_expect(n > x[0], 1))
        x[0] = x[1] / n;
    else
        x[0] = x[2] * x[3];
}

/// Divides in the rare case, and multiplies in the usual one.
/// @param n  a number
/// @param x  four ints in device memory; the first is replaced
__global__ void rarely_divide(int n, int* x) {
    if (__builtin_expect(n > x[0], 0))
        x[0] = x[1] / n;
    else
        x[0] = x[2] * x[3];
}
// [/expect]

int main() {
    lockstep::require_device();
    struct variant {
        void (*kernel)(int, int*);
        int n;
        int expected;
    };
    int wrong = 0, kernels = 0;
    for (const variant& one :
         {variant{divide, 50, 6}, variant{divide_assumed, 50, 6}, variant{add, 0, 22},
          variant{add_aligned, 0, 22}, variant{choose, 1, 18},
          variant{choose_reachable, 1, 18}, variant{usually_divide, 2, 42},
          variant{rarely_divide, 2, 42}}) {
        lockstep::device_buffer<int> d_x(std::vector<int>{4, 5, 6, 7});
        one.kernel<<<1, 1>>>(one.n, d_x.data());
        lockstep::check(cudaGetLastError());
        wrong += d_x.to_host()[0] != one.expected;
        ++kernels;
    }
    lockstep::report("kernels", kernels);
    lockstep::report("wrong results", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
