// Which allocations of a pool does a permission cover? All of them. The pool lies on
// device 1, and a kernel on device 0 reads: one allocation was made before the
// permission was set, one after it. Then the permission is taken back, and each read is
// tried by a child, since a fault ends all GPU work of its process.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/process.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t bytes = 64 << 20;  // so much that the pool grows each time

/// Copies one number.
/// @param from  one int in some device's memory
/// @param to    one int in memory of the device that runs the kernel, written
__global__ void fetch_int(const int* from, int* to) { *to = *from; }

/// Reads a number by a kernel on device 0.
/// @param from   one int in some device's memory
/// @param found  the number, written
cudaError_t read_on_device_0(const int* from, int* found) {
    int* to = nullptr;
    lockstep::check(cudaSetDevice(0));
    cudaError_t error = cudaMalloc(&to, sizeof *to);
    if (error != cudaSuccess) return error;
    fetch_int<<<1, 1>>>(from, to);
    error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    if (error == cudaSuccess)
        error = cudaMemcpy(found, to, sizeof *found, cudaMemcpyDefault);
    if (error == cudaSuccess) error = cudaFree(to);
    return error;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    enum { none, earlier, later, new_one, kept };
    const int taken_back =  // what a child reads after the permission has gone
        options.choice("taken-back", {"none", "earlier", "later", "new-one", "kept"});
    options.finish();
    lockstep::require_device(0, 2);

    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 1;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    const auto allocate = [&](int number) {  // on device 1, which has access
        int* x = nullptr;
        lockstep::check(cudaSetDevice(1));
        lockstep::check(cudaMallocFromPoolAsync(&x, bytes, pool, nullptr));
        lockstep::check(
            cudaMemcpyAsync(x, &number, sizeof *x, cudaMemcpyDefault, nullptr));
        lockstep::check(cudaStreamSynchronize(nullptr));
        return x;
    };
    const auto set_access = [&](cudaMemAccessFlags flags) {
        cudaMemAccessDesc permission{};
        permission.location.type = cudaMemLocationTypeDevice;
        permission.location.id = 0;
        permission.flags = flags;
        return cudaMemPoolSetAccess(pool, &permission, 1);
    };

    // [permission]
    int* first = allocate(41);
    lockstep::check(set_access(cudaMemAccessFlagsProtReadWrite));
    int* second = allocate(42);
    // [/permission]
    if (taken_back == none) {
        // [read]
        int found[2] = {};
        const cudaError_t before = read_on_device_0(first, &found[0]);
        const cudaError_t after = read_on_device_0(second, &found[1]);
        // [/read]
        lockstep::report("allocated before it is set", cudaGetErrorName(before));
        lockstep::report("  number read", found[0]);
        lockstep::report("allocated after it is set", cudaGetErrorName(after));
        lockstep::report("  number read", found[1]);
        const auto child = [&](const char* label, const char* which) {
            const std::string said =
                lockstep::output_of(argv[0], std::string("--taken-back ") + which);
            lockstep::report(label, said.empty() ? "no answer" : said.c_str());
        };
        lockstep::report("taken back:", "cudaMemPoolSetAccess, kernel");
        child("the earlier allocation", "earlier");
        child("the later allocation", "later");
        child("allocated afterwards", "new-one");
        child("not taken back", "kept");
        const bool right = found[0] == 41 && found[1] == 42;
        return right ? EXIT_SUCCESS : EXIT_FAILURE;
    }

    // [taken-back]
    cudaError_t set = cudaSuccess;
    if (taken_back != kept) set = set_access(cudaMemAccessFlagsProtNone);
    const int* x = taken_back == earlier   ? first
                   : taken_back == new_one ? allocate(43)
                                           : second;
    int found = 0;
    const cudaError_t read = read_on_device_0(x, &found);
    // [/taken-back]
    std::printf("%s, %s", cudaGetErrorName(set), cudaGetErrorName(read));
    return EXIT_SUCCESS;
}
