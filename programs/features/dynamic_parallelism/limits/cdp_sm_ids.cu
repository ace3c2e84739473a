// Does a block stay on its SM, and a warp in its slot? The special registers %smid and
// %warpid tell where a warp is at this moment, and PTX promises no more. Each warp
// reads them twice, with a launch and 50 us in between.

#include <cstdlib>
#include <vector>

#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int blocks = 512;
constexpr int warps = 4;  // in each block

/// Where a warp is.
struct place {
    unsigned sm, slot;
};

// [where]
/// Where the calling thread's warp is now.
__device__ place where() {
    place p{};
    asm volatile("mov.u32 %0, %%smid;" : "=r"(p.sm));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(p.slot));
    return p;
}
// [/where]

// [kernels]
/// Notes its SM; one block of one thread.
/// @param sm  in device memory, written
__global__ void child(unsigned* sm) { *sm = where().sm; }

/// Notes where its warps are, launches a child from each block, and looks again.
/// @param first, later  one place for each warp in device memory, written
/// @param child_sm      one SM for each block in device memory, for the children
__global__ void parent(place* first, place* later, unsigned* child_sm) {
    const unsigned warp = blockIdx.x * warps + threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) first[warp] = where();
    if (threadIdx.x == 0)
        child<<<1, 1, 0, cudaStreamFireAndForget>>>(child_sm + blockIdx.x);
    lockstep::busy_wait(50'000);
    if (threadIdx.x % 32 == 0) later[warp] = where();
}
// [/kernels]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<place> d_first(blocks * warps), d_later(blocks * warps);
    lockstep::device_buffer<unsigned> d_child_sm(blocks);
    d_child_sm.fill_bytes(0xFF);
    parent<<<blocks, warps * 32>>>(d_first.data(), d_later.data(), d_child_sm.data());
    lockstep::check(cudaGetLastError());
    const std::vector<place> first = d_first.to_host(), later = d_later.to_host();
    const std::vector<unsigned> child_sm = d_child_sm.to_host();

    int moved = 0, renumbered = 0, ran = 0, same_sm = 0;
    for (int i = 0; i < blocks * warps; ++i) {
        moved += first[i].sm != later[i].sm;
        renumbered += first[i].slot != later[i].slot;
    }
    for (int i = 0; i < blocks; ++i) {
        ran += child_sm[i] != ~0u;
        same_sm += child_sm[i] == first[i * warps].sm;
    }
    lockstep::report("warps", blocks * warps);
    lockstep::report("%smid changed", lockstep::counted{moved});
    lockstep::report("%warpid changed", lockstep::counted{renumbered});
    lockstep::report("children", ran);
    lockstep::report("children on the parent's SM", lockstep::counted{same_sm});
    return ran == blocks ? EXIT_SUCCESS : EXIT_FAILURE;
}
