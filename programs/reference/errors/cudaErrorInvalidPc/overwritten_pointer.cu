// Nine letters in a place for eight. Behind it stands a function pointer, and its lowest byte is gone.

#include <lockstep/device_buffer.hpp>
#include <lockstep/provoke.hpp>

// [kernels]
/// A named operation.
struct operation {
    char name[8];       ///< what it is called
    int (*apply)(int);  ///< what it does, a function of the device
};

__device__ int twice(int x) { return 2 * x; }

/// Writes down an operation.
/// @param slot     one operation in device memory, written
/// @param letters  letters of its name
__global__ void enter(operation* slot, int letters) {
    slot->apply = twice;
    for (int i = 0; i < letters; ++i) slot->name[i] = 'y';
}

/// Carries it out.
/// @param slot    one operation in device memory
/// @param result  one int in device memory, written
__global__ void carry_out(const operation* slot, int* result) { *result = slot->apply(21); }
// [/kernels]

// [wrong]
static cudaError_t named(int letters) {
    const lockstep::device_buffer<operation> slot(1);
    const lockstep::device_buffer<int> result(1);
    enter<<<1, 1>>>(slot.data(), letters);
    carry_out<<<1, 1>>>(slot.data(), result.data());
    return cudaDeviceSynchronize();
}
static cudaError_t wrong() { return named(9); }
// [/wrong]

// [mended]
static cudaError_t mended() { return named(8); }
// [/mended]

int main(int argc, char** argv) { return lockstep::provoke(argc, argv, cudaErrorInvalidPc, wrong, mended); }
