// Which memory of the process may a kernel read? One child process for each kind of
// storage lets a kernel read its first eight characters. Where pageable memory access
// is 0, only memory that CUDA allocated or registered is readable; everything else
// ends the kernel with an error, and the child with it.

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/process.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int letters = 8;
constexpr char text[] = "unified memory";

// [kernel]
/// Copies the first eight characters, wherever they are.
/// @param from  at least eight characters
/// @param to    eight characters in device memory
__global__ void read_first(const char* from, char* to) {
    for (int i = 0; i < letters; ++i) to[i] = from[i];
}
// [/kernel]

// [variables]
__managed__ char managed_variable[16];
char global_variable[16];
static char static_variable[16];

/// A library that knows nothing of CUDA: it owns its memory, and offers a pointer.
struct library {
    char* data = static_cast<char*>(std::malloc(16));
    ~library() { std::free(data); }
};
const library some_library;
// [/variables]

constexpr const char* kinds[] = {"__managed__", "managed", "registered", "pinned",
                                 "device",      "malloc",  "stack",      "static",
                                 "global",      "library", "mmap"};
constexpr int of_cuda = 5;  // so many kinds are CUDA's; the others are the system's

/// Runs in a child: fills memory of one kind, lets the kernel read it, and says
/// whether it read what is there.
/// @param kind  index into `kinds`
/// @return the first error
cudaError_t child(int kind) {
    char on_stack[16];
    char* data = nullptr;
    cudaError_t made = cudaSuccess;
    // [kinds]
    switch (kind) {
        case 0: data = managed_variable; break;
        case 1: made = cudaMallocManaged(&data, 16); break;
        case 2:
            data = static_cast<char*>(std::malloc(16));
            made = cudaHostRegister(data, 16, cudaHostRegisterDefault);
            break;
        case 3: made = cudaMallocHost(&data, 16); break;
        case 4: made = cudaMalloc(&data, 16); break;
        case 5: data = static_cast<char*>(std::malloc(16)); break;
        case 6: data = on_stack; break;
        case 7: data = static_variable; break;
        case 8: data = global_variable; break;
        case 9: data = some_library.data; break;
        case 10:
            data = static_cast<char*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
            break;
    }
    // [/kinds]
    if (made != cudaSuccess) return made;
    if (kind == 4)
        lockstep::check(cudaMemcpy(data, text, sizeof text, cudaMemcpyHostToDevice));
    else
        std::memcpy(data, text, sizeof text);
    lockstep::device_buffer<char> d_seen(std::vector<char>(letters, '?'));
    read_first<<<1, 1>>>(data, d_seen.data());
    lockstep::check(cudaGetLastError());
    const cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) {
        const bool same = std::memcmp(d_seen.to_host().data(), text, letters) == 0;
        std::printf("%s", same ? "readable" : "other characters");
    }
    return error;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    constexpr int count = sizeof kinds / sizeof *kinds;
    const int kind = options.integer("child", count, 0, count);
    options.finish();
    lockstep::require_device();
    if (kind < count) {
        const cudaError_t error = child(kind);
        if (error != cudaSuccess) std::printf("%s", cudaGetErrorName(error));
        std::fflush(stdout);
        std::_Exit(EXIT_SUCCESS);  // the context may be lost: nothing can be freed
    }

    int pageable = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));
    lockstep::report("pageable memory access", pageable);
    // another program may hold all memory for a moment; the next attempt gets some
    const char* busy = cudaGetErrorName(cudaErrorMemoryAllocation);
    // [parent]
    bool right = true;
    for (int i = 0; i < count; ++i) {
        std::string said;
        for (int attempt = 0; attempt < 20 && (said.empty() || said == busy); ++attempt)
            said = lockstep::output_of(argv[0], "--child " + std::to_string(i));
        lockstep::report(kinds[i], said.c_str());
        const bool readable = pageable || i < of_cuda;
        right = right && said == (readable ? "readable" : "cudaErrorIllegalAddress");
    }
    // [/parent]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
