// Which grids that a kernel launches run one after the other? Those of one stream. The
// NULL stream of device code belongs to a block, so what two blocks launch into it may
// overlap; so may grids of two created streams, and all that are fire and forget.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

/// When a grid of one block began and ended, in nanoseconds.
struct span {
    unsigned long long begin;
    unsigned long long end;
};

/// Where the two children A and B are launched.
enum placement { one_block, two_blocks, two_streams, fire_and_forget, placements };

// [child]
/// Notes when it runs, for 20 us; one thread.
/// @param mine  in device memory, written
__global__ void child(span* mine) {
    mine->begin = lockstep::now_ns();
    lockstep::busy_wait(20'000);
    mine->end = lockstep::now_ns();
}
// [/child]

// [parent]
/// Launches A and B as the placement says, then runs for 10 us itself; one thread a
/// block.
/// @param how  the placement; two_blocks needs two blocks, the others one
/// @param s    three spans in device memory, written: of this grid, of A and of B
__global__ void parent(placement how, span* s) {
    const unsigned long long begin = lockstep::now_ns();
    cudaStream_t first = nullptr, second = nullptr;  // the block's NULL stream
    if (how == two_streams) {
        cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    }
    if (how == fire_and_forget) first = second = cudaStreamFireAndForget;

    if (blockIdx.x == 0) child<<<1, 1, 0, first>>>(s + 1);
    if (blockIdx.x == gridDim.x - 1) child<<<1, 1, 0, second>>>(s + 2);

    if (how == two_streams) {
        cudaStreamDestroy(first);  // when its grid has ended; the parent goes on
        cudaStreamDestroy(second);
    }
    lockstep::busy_wait(10'000);
    if (blockIdx.x == 0) s[0] = {begin, lockstep::now_ns()};
}
// [/parent]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    const char* labels[placements] = {"one block", "two blocks", "two streams",
                                      "fire and forget"};
    const char* rows[placements] = {"1 block", "2 blocks", "2 streams", "forget"};
    const char* names[] = {"P", "A", "B"};
    lockstep::csv_file file(csv, "row,kind,name,~start_us,~end_us");
    bool right = true;
    for (int how = one_block; how < placements; ++how) {
        lockstep::device_buffer<span> d_spans(3);
        for (int run = 0; run < 2; ++run) {  // the first loads the kernels
            d_spans.fill_bytes(0);
            parent<<<how == two_blocks ? 2 : 1, 1>>>(placement(how), d_spans.data());
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaDeviceSynchronize());
        }
        const std::vector<span> s = d_spans.to_host();
        for (int i = 0; i < 3; ++i)
            file.row("%s %s,kernel,%s,%.2f,%.2f", rows[how], names[i], names[i],
                     1e-3 * (s[i].begin - s[0].begin), 1e-3 * (s[i].end - s[0].begin));
        const auto gap = static_cast<long long>(s[2].begin - s[1].begin);
        lockstep::report(labels[how], lockstep::measured{1e-3 * gap},
                         "us from begin to begin");
        right &= s[1].end > s[1].begin && s[2].end > s[2].begin;
        if (how == one_block) right &= s[2].begin >= s[1].end;
    }
    lockstep::report("one block: B after A", right);
    file.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
