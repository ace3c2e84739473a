// An operation is known by its number or by its address. A kernel that does not read
// which of the two it has takes the number 8 for an address, and jumps there.

#include <lockstep/check.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/expect_error.hpp>

// [kernels]
/// What to do with a number.
struct operation {
    bool numbered;  ///< which of the two it is
    union {
        long long number;   ///< of a known operation
        int (*apply)(int);  ///< or its address, a function of the device
    };
};

/// Enters operation 8.
/// @param slot  in device memory, written
__global__ void enter(operation* slot) {
    slot->numbered = true;
    slot->number = 8;
}

/// The known operations.
__device__ int known(long long number, int x) { return number == 8 ? 2 * x : x; }

/// Carries an operation out.
/// @param look    whether it reads the flag before the union
/// @param slot    in device memory
/// @param result  one int in device memory, written
__global__ void carry_out(bool look, const operation* slot, int* result) {
    *result = look && slot->numbered ? known(slot->number, 21) : slot->apply(21);
}
// [/kernels]

static cudaError_t run(bool look) {
    lockstep::device_buffer<operation> slot(1);
    lockstep::device_buffer<int> result(1);
    enter<<<1, 1>>>(slot.data());
    lockstep::check(cudaGetLastError());
    carry_out<<<1, 1>>>(look, slot.data(), result.data());
    return cudaDeviceSynchronize();
}

// [wrong]
static cudaError_t wrong() { return run(false); }
// [/wrong]

// [fixed]
static cudaError_t fixed() { return run(true); }
// [/fixed]

int main(int argc, char** argv) {
    return lockstep::expect_error(argc, argv, cudaErrorInvalidPc, wrong, fixed);
}
