// Which functions of the C library does a kernel lack? Most of them. nvcc refuses each
// line of this kernel, and names the function.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

// [kernel]
/// Calls functions that exist on the host only.
/// @param text    in device memory
/// @param memory  from the heap
/// @param n       bytes
__global__ void call_each(char* text, void* memory, int n) {
    memory = std::calloc(n, 4);
    memory = std::realloc(memory, n);
    std::memmove(text, text + 1, n);
    n = std::memcmp(text, text + 1, n);
    std::strcpy(text, text + n);
    n = std::strlen(text);
    n = std::atoi(text);
    std::puts(text);
    std::snprintf(text, n, "%d", n);
    n = std::rand();
    n = std::time(nullptr);
    std::abort();
}
// [/kernel]
