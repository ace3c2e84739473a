// Which element does a thread work on? Its index in the block, plus the threads of all
// blocks before it: threadIdx.x + blockDim.x * blockIdx.x. Four blocks of 256 threads
// cover 1024 elements without gaps.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/require_device.hpp>

// [kernel]
/// Each thread writes its block's number to the element that it works on.
/// @param owner  one int per thread of the grid in device memory
__global__ void claim(int* owner) {
    const int work_index = threadIdx.x + blockDim.x * blockIdx.x;
    owner[work_index] = blockIdx.x;
}
// [/kernel]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int blocks = options.integer("blocks", 4, 1, 16);
    const int threads = options.integer("threads", 256, 1, 1024);
    options.finish();
    lockstep::require_device();

    const int n = blocks * threads;
    lockstep::device_buffer<int> d_owner(n);
    d_owner.fill_bytes(0xFF);
    claim<<<blocks, threads>>>(d_owner.data());
    lockstep::check(cudaGetLastError());

    const std::vector<int> owner = d_owner.to_host();
    bool right = true;
    for (int begin = 0; begin < n;) {
        int end = begin;
        while (end < n && owner[end] == owner[begin]) ++end;
        std::printf("block %2d works on elements %5d ... %5d\n", owner[begin], begin,
                    end - 1);
        right = right && owner[begin] == begin / threads && end - begin == threads;
        begin = end;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
