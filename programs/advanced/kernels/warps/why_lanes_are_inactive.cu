// A warp always has 32 lanes. A lane is inactive if it took another branch, if its
// thread has ended, or if the block has no thread for it. __activemask shows the active
// lanes.

#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Stores the mask of active lanes at three places.
/// @param masks  three words in device memory, written
__global__ void look(unsigned* masks) {
    const unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        // the odd lanes took the other branch
        if (lane % 2 == 0) masks[0] = __activemask();
        __syncwarp();
        if (lane < 8) return;  // these threads end early
        masks[1] = __activemask();
        return;
    }
    masks[2] = __activemask();  // the second warp of a block of 40
}
// [/kernel]

int main() {
    lockstep::require_device();

    lockstep::device_buffer<unsigned> d_masks(3);
    look<<<1, 40>>>(d_masks.data());
    lockstep::check(cudaGetLastError());
    const auto masks = d_masks.to_host();
    const char* names[] = {"branch of the even lanes", "eight threads have ended",
                           "second warp of 40 threads"};
    const unsigned expected[] = {0x55555555, 0xFFFFFF00, 0x000000FF};
    bool right = true;
    for (int i = 0; i < 3; ++i) {
        std::string lanes = std::bitset<32>(masks[i]).to_string('.', '#');
        std::printf("%-28s%s\n", names[i],
                    std::string(lanes.rbegin(), lanes.rend()).c_str());
        right = right && masks[i] == expected[i];
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
