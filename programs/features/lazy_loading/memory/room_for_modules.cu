// A program takes all memory of the GPU, and then launches a kernel that has not been
// loaded yet. The launch fails. Preloading, leaving some memory, and a memory pool
// help. Each case runs in a process of its own.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_memory.hpp>
#include <lockstep/process.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr std::size_t mib = 1 << 20;

// [module]
__device__ unsigned char table[256 * mib];  // makes the module large

/// Uses the table, so that the module must be loaded.
__global__ void use_table() { table[threadIdx.x] = 1; }
// [/module]

// [grab]
/// Allocates until only so much is left.
std::vector<void*> grab_all_but(std::size_t left) {
    std::vector<void*> taken;
    for (std::size_t chunk : {1024 * mib, 64 * mib, 2 * mib}) {
        while (lockstep::free_memory() >= left + chunk) {
            void* memory = nullptr;
            const cudaError_t error = cudaMalloc(&memory, chunk);
            if (error == cudaErrorMemoryAllocation) {
                cudaGetLastError();  // cleared: no chunk of this size is left
                break;
            }
            lockstep::check(error);
            taken.push_back(memory);
        }
    }
    return taken;
}
// [/grab]

/// The error of launching the kernel, and of what it did.
cudaError_t launched() {
    use_table<<<1, 32>>>();
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

/// What is done before the launch.
enum preparation { take_all, preload, leave_some, use_pool, free_again };

/// Plays one case, and prints the error of its launch.
void play(preparation how) {
    lockstep::check(cudaFree(nullptr));
    // [cases]
    if (how == preload) {
        cudaFuncAttributes attributes{};
        lockstep::check(cudaFuncGetAttributes(&attributes, use_table));
    }
    std::vector<void*> taken;
    if (how == use_pool) {  // a pool gives back what it does not need
        void* memory = nullptr;
        lockstep::check(
            cudaMallocAsync(&memory, lockstep::free_memory() / 4 * 3, nullptr));
        lockstep::check(cudaFreeAsync(memory, nullptr));
        lockstep::check(cudaStreamSynchronize(nullptr));
    } else {
        taken = grab_all_but(how == leave_some ? 512 * mib : 0);
    }
    const std::size_t left = lockstep::free_memory() / mib;
    const cudaError_t error = launched();
    // [/cases]
    std::printf("%s, ~%zu MiB left", cudaGetErrorName(error), left);
    if (how == free_again) {  // the memory comes back, and the launch is repeated
        for (void* memory : taken) lockstep::check(cudaFree(memory));
        std::printf("%s", cudaGetErrorName(launched()));
    }
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int number = options.integer("case", -1, -1, 4);
    options.finish();
    lockstep::require_device();

    if (number >= 0) {
        play(static_cast<preparation>(number));
        return EXIT_SUCCESS;
    }
    const auto outcome = [&](preparation how) {
        return lockstep::output_of(argv[0], "--case " + std::to_string(how));
    };
    const std::string all_taken = outcome(take_all);
    const std::string preloaded = outcome(preload);
    const std::string headroom = outcome(leave_some);
    const std::string pool = outcome(use_pool);
    const std::string again = outcome(free_again);
    lockstep::report("all memory taken", all_taken.c_str());
    lockstep::report("preloaded before", preloaded.c_str());
    lockstep::report("512 MiB left", headroom.c_str());
    lockstep::report("pool instead", pool.c_str());
    lockstep::report("again after freeing",
                     again.substr(again.rfind("left") + 4).c_str());
    const auto succeeded = [](const std::string& said) {
        return said.find("cudaSuccess") == 0;
    };
    const bool right = succeeded(preloaded) && succeeded(headroom) && succeeded(pool);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
