// In which order do tails run? One at a time, in the order of their launches, after
// everything else that the grid has launched; and before the next kernel of the stream
// that the grid itself was launched into. Each grid appends its letter as it ends.

#include <cstdlib>
#include <cstring>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// The letters of the grids that have ended.
struct record {
    int length;
    char letters[16];
};

/// Appends a letter.
/// @param letter  of a grid that ends
/// @param r       in device memory
__device__ void append(char letter, record* r) {
    r->letters[atomicAdd(&r->length, 1)] = letter;
}

// [kernels]
/// A grid that launches nothing; one thread.
/// @param letter  its letter
/// @param ns      how long it runs
/// @param r       in device memory
__global__ void leaf(char letter, unsigned long long ns, record* r) {
    lockstep::busy_wait(ns);
    append(letter, r);
}

/// The first tail, which launches a child and two tails of its own; one thread.
/// @param r  in device memory
__global__ void tail_a(record* r) {
    leaf<<<1, 1, 0, cudaStreamTailLaunch>>>('C', 0, r);
    leaf<<<1, 1, 0, cudaStreamTailLaunch>>>('D', 0, r);
    leaf<<<1, 1, 0, cudaStreamFireAndForget>>>('a', 50'000, r);
    append('A', r);
}

/// Launches the tails A and B, and after them two children; one thread.
/// @param r  in device memory
__global__ void parent(record* r) {
    tail_a<<<1, 1, 0, cudaStreamTailLaunch>>>(r);
    leaf<<<1, 1, 0, cudaStreamTailLaunch>>>('B', 0, r);
    leaf<<<1, 1>>>('x', 200'000, r);
    leaf<<<1, 1, 0, cudaStreamFireAndForget>>>('y', 400'000, r);
    append('P', r);
}
// [/kernels]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<record> d_record(1);
    d_record.fill_bytes(0);
    // [launch]
    parent<<<1, 1>>>(d_record.data());
    leaf<<<1, 1>>>('H', 0, d_record.data());  // the host's next kernel in the stream
    // [/launch]
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());

    const record found = d_record.to_host()[0];
    lockstep::report("order of the ends", found.letters);
    const auto before = [&](const char* first, const char* later) {
        for (const char* a = first; *a; ++a)
            for (const char* b = later; *b; ++b)
                if (!(std::strchr(found.letters, *a) < std::strchr(found.letters, *b)))
                    return false;
        return true;
    };
    const bool complete = found.length == 9 && std::strlen(found.letters) == 9;
    lockstep::report("tails after all children", complete && before("Pxy", "AaBCD"));
    lockstep::report("A before B", complete && before("A", "B"));
    lockstep::report("tails of A before B", complete && before("ACD", "B"));
    lockstep::report("the host's next kernel last",
                     complete && before("PxyAaBCD", "H"));
    const bool right = complete && before("Pxy", "AaBCD") && before("A", "aBCD") &&
                       before("aC", "D") && before("PxyAaBCD", "H");
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
