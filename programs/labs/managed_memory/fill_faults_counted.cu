// What does the driver do while a kernel touches managed memory for the first time?
// CUPTI counts: page faults of the GPU, and bytes that move. 65,536 threads fill an
// array of 256 KiB in three states; then a single thread writes one byte of an array
// that the CPU wrote, and the CPU reads all of it.

#include <cstdlib>

#include <lockstep/measured.hpp>
#include <lockstep/page_counter.hpp>
#include <lockstep/page_counts.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 256 * 256;
constexpr std::size_t bytes = n * sizeof(int);

/// Writes one word in each thread.
/// @param words  as many words as there are threads
__global__ void fill(int* words) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    words[i] = 3 * i;
}

// [one-byte]
/// Writes one byte.
/// @param text   bytes in managed memory
/// @param place  which of them
/// @param value  the new one
__global__ void set_byte(char* text, int place, char value) { text[place] = value; }
// [/one-byte]

/// Prints what the driver did in one step.
/// @param faults  label for the faults
/// @param to_gpu  label for the bytes that moved to the GPU
/// @param step    the counts of the step
void print(const char* faults, const char* to_gpu, const lockstep::page_counts& step) {
    lockstep::report(faults, lockstep::counted{step.gpu_faults});
    lockstep::report(to_gpu, lockstep::measured{step.bytes_to_gpu / 1024.0}, "KiB");
}

/// Fills an array, once.
/// @param words  n words
/// @return what the driver did meanwhile
lockstep::page_counts counted_fill(int* words) {
    lockstep::page_counter::read();  // what came before does not count
    fill<<<n / 256, 256>>>(words);
    lockstep::check(cudaGetLastError());
    return lockstep::page_counter::read();
}

int main() {
    const CUptiResult available = lockstep::page_counter::start();
    lockstep::require_device();
    if (available != CUPTI_SUCCESS) {
        lockstep::report("counters not available", int(available));
        return EXIT_SUCCESS;
    }
    int* words[3] = {};
    bool right = true;
    for (int*& each : words) lockstep::check(cudaMallocManaged(&each, bytes));
    auto [touched, untouched, prefetched] = words;
    for (int i = 0; i < n; ++i) touched[i] = prefetched[i] = -1;
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    lockstep::check(cudaMemPrefetchAsync(prefetched, bytes, gpu, 0, nullptr));
    print("CPU wrote: faults", "CPU wrote: to the GPU", counted_fill(touched));
    print("untouched: faults", "untouched: to the GPU", counted_fill(untouched));
    print("prefetched: faults", "prefetched: to the GPU", counted_fill(prefetched));
    for (int* each : words) {
        for (int i = 0; i < n; ++i) right = right && each[i] == 3 * i;
        lockstep::check(cudaFree(each));
    }

    char* text = nullptr;
    lockstep::check(cudaMallocManaged(&text, bytes));
    for (std::size_t i = 0; i < bytes; ++i) text[i] = 'a';
    lockstep::page_counter::read();
    set_byte<<<1, 1>>>(text, bytes / 2, 'b');
    lockstep::check(cudaGetLastError());
    print("one byte: faults", "one byte: to the GPU", lockstep::page_counter::read());
    for (std::size_t i = 0; i < bytes; ++i)
        right = right && text[i] == (i == bytes / 2 ? 'b' : 'a');
    const lockstep::page_counts back = lockstep::page_counter::read();
    lockstep::report("one byte: back to the CPU",
                     lockstep::measured{back.bytes_to_cpu / 1024.0}, "KiB");
    lockstep::report("values right", right);
    lockstep::check(cudaFree(text));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
