// A warp always has 32 lanes, and some of them may have nothing to do: because they
// left, took the other branch, or were never there. __activemask tells who is here.

#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/device.hpp>
#include <lockstep/device_buffer.hpp>

// [kernel]
/// Notes who is active in three places.
/// @param masks  three words in device memory, written
__global__ void look(unsigned* masks) {
    const unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        // the odd lanes took the other branch
        if (lane % 2 == 0) masks[0] = __activemask();
        __syncwarp();
        if (lane >= 8) {  // 0 to 7 go on to the end
            masks[1] = __activemask();
        }
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
    const char* names[] = {"in a branch of even lanes", "eight lanes went ahead",
                           "second warp, 40 threads"};
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
