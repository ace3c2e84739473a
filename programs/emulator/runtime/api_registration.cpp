// What clang's code for the host calls.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "unseen_errors.hpp"

using namespace emulator;

namespace {

struct launch_configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    launch_line place;
};
#ifdef __wasm__
std::vector<launch_configuration> configurations;
#else
thread_local std::vector<launch_configuration> configurations;
#endif

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void*) { return nullptr; }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}

int __cudaRegisterFunction(void**, const char* stub, char* symbol, const char*, int, void*, void*,
                           void*, void*, int*) {
    for (int i = 0; i < __emu_kernel_count; ++i)
        if (strcmp(__emu_kernels[i].symbol, symbol) == 0) __emu_kernels[i].stub = stub;
    return 0;
}

// Where kernels launch kernels, the host side registers by a function.
void __cudaRegisterLinkedBinary(void (*register_all)(void**), void*, void*, void*) {
    register_all(nullptr);
}

void __cudaRegisterVar(void**, char* shadow, char* symbol, const char*, int, size_t bytes,
                       int constant, int) {
    static size_t constants = 0;
    if (constant) constants += bytes;
    if (constants > hardware::constant_bytes) {
        fprintf(stderr,
                "emulator: the program has %zu bytes of constant memory or more; ptxas refuses "
                "more than %zu\n",
                constants, hardware::constant_bytes);
        exit(1);
    }
    for (int i = 0; i < __emu_variable_count; ++i)
        if (strcmp(__emu_variables[i].symbol, symbol) == 0) __emu_variables[i].shadow = shadow;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                                     const char* file, int line) {
    configurations.push_back({grid, block, shared, stream, {file, line}});
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
    const launch_configuration c = configurations.back();
    configurations.pop_back();
    *grid = c.grid;
    *block = c.block;
    *shared = c.shared;
    *static_cast<cudaStream_t*>(stream) = c.stream;
    begin_launch_without_result(c.place);
    return cudaSuccess;
}

}  // extern "C"
