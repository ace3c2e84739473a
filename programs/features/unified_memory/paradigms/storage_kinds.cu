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

#include <lockstep/arguments.hpp>
#include <lockstep/device.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/process.hpp>
#include <lockstep/report.hpp>

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

constexpr const char* kinds[] = {"malloc",     "stack",  "static",      "global",
                                 "library",    "mmap",   "__managed__", "managed",
                                 "registered", "pinned", "device"};
constexpr int first_of_cuda = 6;  // the kinds from here on are CUDA's

/// Runs in a child: fills memory of one kind, lets the kernel read it, prints the
/// characters or the name of the error.
/// @param kind  index into `kinds`
int child(int kind) {
    char on_stack[16];
    char* data = nullptr;
    // [kinds]
    switch (kind) {
        case 0: data = static_cast<char*>(std::malloc(16)); break;
        case 1: data = on_stack; break;
        case 2: data = static_variable; break;
        case 3: data = global_variable; break;
        case 4: data = some_library.data; break;
        case 5:
            data = static_cast<char*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
            break;
        case 6: data = managed_variable; break;
        case 7: lockstep::check(cudaMallocManaged(&data, 16)); break;
        case 8:
            data = static_cast<char*>(std::malloc(16));
            lockstep::check(cudaHostRegister(data, 16, cudaHostRegisterDefault));
            break;
        case 9: lockstep::check(cudaMallocHost(&data, 16)); break;
        case 10: lockstep::check(cudaMalloc(&data, 16)); break;
    }
    // [/kinds]
    if (kind == 10)
        lockstep::check(cudaMemcpy(data, text, sizeof text, cudaMemcpyHostToDevice));
    else
        std::memcpy(data, text, sizeof text);
    const lockstep::device_buffer<char> d_seen(std::vector<char>(letters, '?'));
    read_first<<<1, 1>>>(data, const_cast<char*>(d_seen.data()));
    lockstep::check(cudaGetLastError());
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
        std::printf("%s", cudaGetErrorName(error));
    else
        std::printf("%.*s", letters, d_seen.to_host().data());
    std::fflush(stdout);
    std::_Exit(EXIT_SUCCESS);  // the context may be lost: nothing can be freed
}

int main(int argc, char** argv) {
    lockstep::arguments arguments(argc, argv);
    constexpr int count = sizeof kinds / sizeof *kinds;
    const int kind = static_cast<int>(arguments.integer("child", count, 0, count));
    arguments.finish();
    lockstep::require_device();
    if (kind < count) return child(kind);

    int pageable = 0;
    lockstep::check(
        cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0));
    lockstep::report("pageable memory access", pageable);
    // [parent]
    bool right = true;
    for (int i = 0; i < count; ++i) {
        const std::string said =
            lockstep::output_of(argv[0], "--child " + std::to_string(i));
        lockstep::report(kinds[i], said.c_str());
        const bool readable = pageable || i >= first_of_cuda;
        right = right && said == (readable ? "unified " : "cudaErrorIllegalAddress");
    }
    // [/parent]
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
