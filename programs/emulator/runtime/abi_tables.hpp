// The tables that the build writes about a program: a part of the contract in abi.hpp.
#pragma once

#include <stddef.h>

namespace emulator_abi {

struct kernel_entry {
    const char* symbol;  // as the compiler calls it
    const char* name;  // as people read it
    const int* sizes;  // of the arguments in bytes, -1 after the last
    const int* pointers;  // pairs: which argument holds one, and at which byte; -1 after the last
    const int* offsets;  // of the arguments in the buffer of a launch in a kernel, and -1
    bool yields;  // threads may wait for one another; else they run as a plain loop
    unsigned cluster[3];  // what __cluster_dims__ says, or zeros
    int max_threads;  // of a block, as __launch_bounds__ says, or 0
    const int* shared;  // numbers of the shared variables that it can reach, -1 after the last
    int registers;  // of a thread, as the toolkit's assembler counts them, or 0
    int local_bytes;  // of a thread, as the toolkit's assembler counts them
    const void* stub;  // its name on the host; set when the program registers it
};
struct shared_variable {
    int bytes, alignment;
};
struct variable_entry {
    const char* symbol;
    void* place;
    const size_t* size;
    bool constant;
    const void* shadow;  // its name on the host
    size_t bytes() const { return *size; }
};
struct managed_variable {
    void* place;
    const size_t* size;
};
struct image_range {
    const unsigned char *begin, *end;
};
struct source_line {
    int number;
    const char* text;
};
struct stepped_variable {  // of a thread
    const char* name;
    int first, last;  // the lines where it is in scope
    const char* kind;  // a letter and its bytes: i signed, u unsigned, f floating-point, b truth
};
struct stepped_array {  // of shared memory
    int number;
    const char *name, *kind;  // the kind of what it holds; x where that is not known
    int bytes;  // of an element
    const char* extents;  // 32x33; empty for dynamic shared memory
};
struct error_name {
    int number;
    const char* name;
};

extern "C" {
extern kernel_entry __emu_kernels[];
extern const int __emu_kernel_count;
// Calls a kernel's trampoline; by direct calls, for the sake of WebAssembly.
void __emu_call(int kernel, void** arguments);
extern const shared_variable __emu_shared_variables[];
extern variable_entry __emu_variables[];  // variables of the device side that the host names
extern const int __emu_variable_count;
extern const managed_variable __emu_managed[];  // ends with a null place
// The device side's variables and constants; ends with a null begin.
extern const image_range __emu_device_image[];
extern const char* const __emu_places[];  // "file:line", numbered
extern const char* const __emu_host_places[];  // the same of the host's side
extern const source_line __emu_source[];  // of its kernels, for the stepper; ends with a null text
extern const bool __emu_stepping;  // kernels tell of each line
// Only in programs for the stepper; both end with a null name.
extern const stepped_variable __emu_stepped_variables[];
extern const stepped_array __emu_stepped_arrays[];
// Not 0 in a program that copies from global memory in bulk: its writes there go no quick way.
extern const unsigned char __emu_writes_noted;
extern const error_name __emu_error_names[];  // from the toolkit's header; ends with a null name
}

}  // namespace emulator_abi
