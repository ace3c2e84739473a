// What the build tells the runtime about a program: toolchain.py writes these tables.
#pragma once

#include <stddef.h>

namespace emulator {

struct Kernel {
    const char* symbol;     // as the compiler calls it
    const char* name;       // as people read it
    const int* sizes;       // of the arguments in bytes, -1 behind the last
    bool yields;            // threads may wait for one another; else they run as a plain loop
    unsigned cluster[3];    // what __cluster_dims__ says, or zeros
    int most_threads;       // of a block, as __launch_bounds__ says, or 1024
    const int* shared;      // numbers of the shared variables it can reach, -1 behind the last
    int registers, local_bytes;  // of a thread, as the toolkit's assembler counts them; else 32 and 0
    const void* stub;       // its name on the host; set when the program registers it
};
struct ErrorName {
    int number;
    const char* name;
};
struct SharedVariable {
    int bytes, alignment;
};
struct Variable {
    const char* symbol;
    void* place;
    const size_t* size;
    bool constant;
    const void* shadow;  // its name on the host
    size_t bytes() const { return *size; }
};
extern "C" {
extern Kernel __emu_kernels[];
extern const int __emu_kernel_count;
void __emu_call(int kernel, void** arguments);  // direct calls: see link_web in toolchain.py
extern Variable __emu_variables[];
extern const int __emu_variable_count;
struct ManagedVariable {
    void* place;
    const size_t* size;
};
struct Stretch {
    const unsigned char *begin, *end;
};
extern const Stretch __emu_device_image[];  // the device side's variables and constants; ends with a null begin
extern const ManagedVariable __emu_managed[];  // ends with a null place
extern const SharedVariable __emu_shared_variables[];
struct SourceLine {
    int number;
    const char* text;
};
extern const SourceLine __emu_source[];  // of its kernels, when they tell of each line; ends with a null text
extern const bool __emu_stepping;              // kernels tell of each line
extern const char* const __emu_places[];  // "file:line", numbered
extern const ErrorName __emu_error_names[];  // from the toolkit's header; ends with a null name
}

}  // namespace emulator
