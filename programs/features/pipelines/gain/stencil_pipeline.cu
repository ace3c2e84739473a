// What does a pipeline gain in a stencil? Each block moves down a strip of columns. The
// rows that an element needs stay in a ring of buffers in shared memory, and the next
// rows are copied some rows ahead. Compared with rows that go through registers.

#include <cstdlib>
#include <vector>

#include <cuda/pipeline>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int radius = 2;
constexpr int strip = 256;  // columns, and threads of a block
constexpr int width = strip + 2 * radius;  // columns of a strip with its halo
constexpr int high = 2 * radius + 1;  // rows that an element needs
constexpr int buffers = 16;  // a power of 2, for which % is cheap
constexpr int through_registers = -1;  // instead of a number of rows ahead

// [fetch]
/// A stencil that has the shape of a cross: the sum of a column and a row of five
/// elements through each element, which itself counts twice.
/// @tparam ahead  rows that are copied ahead, or through_registers
/// @param rows    rows of the output
/// @param pitch   columns of the input
/// @param in      (rows + 2 * radius) * pitch floats in device memory, with a halo
/// @param out     rows * (pitch - 2 * radius) floats in device memory, written
template <int ahead>
__global__ void stencil(int rows, int pitch, const float* in, float* out) {
    // one buffer more than in use or in flight: one barrier for each row is then enough
    static_assert(high + 1 + (ahead > 0 ? ahead : 0) <= buffers);
    __shared__ float ring[buffers][width];
    const int i = threadIdx.x;
    const int rows_in = rows + 2 * radius;
    in += blockIdx.x * strip;
    out += blockIdx.x * strip;
    auto pipe = cuda::make_pipeline();
    const auto fetch = [&](int row) {
        pipe.producer_acquire();
        for (int k = i; k < width && row < rows_in; k += strip) {
            if (ahead == through_registers)
                ring[row % buffers][k] = in[std::size_t(row) * pitch + k];
            else
                cuda::memcpy_async(&ring[row % buffers][k],
                                   &in[std::size_t(row) * pitch + k], sizeof(float),
                                   pipe);
        }
        pipe.producer_commit();
    };
    // [/fetch]
    // [loop]
    constexpr int lead = high - 1 + (ahead > 0 ? ahead : 0);
    for (int row = 0; row < lead; ++row) fetch(row);
    for (int row = 0; row < rows; ++row) {
        fetch(row + lead);
        cuda::pipeline_consumer_wait_prior<(ahead > 0 ? ahead : 0)>(pipe);
        __syncthreads();
        float sum = 0;
        for (int k = 0; k < high; ++k)
            sum += ring[(row + k) % buffers][i + radius] +
                   ring[(row + radius) % buffers][i + k];
        out[std::size_t(row) * (pitch - 2 * radius) + i] = sum;
        pipe.consumer_release();
    }
}
// [/loop]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int per_sm = options.integer("blocks-per-sm", 1, 1, 8);
    const int all_rows = options.integer("rows", 1024, 8, 4096);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device(80);

    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int blocks = untimed ? 2 : sms * per_sm;
    const int rows = all_rows / per_sm;  // the number of elements stays the same
    const int columns = blocks * strip, pitch = columns + 2 * radius;
    std::vector<float> in(std::size_t(rows + 2 * radius) * pitch);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = float(i * 7919 % 1009);
    std::vector<float> expected(std::size_t(rows) * columns);  // whole numbers: exact
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            for (int k = 0; k < high; ++k)
                expected[std::size_t(row) * columns + column] +=
                    in[std::size_t(row + k) * pitch + column + radius] +
                    in[std::size_t(row + radius) * pitch + column + k];
    const lockstep::device_buffer<float> d_in(in);
    lockstep::device_buffer<float> d_out(expected.size());

    const auto launch = [&](std::size_t which) {
        const auto kernel = which == 0   ? stencil<through_registers>
                            : which == 1 ? stencil<0>
                            : which == 2 ? stencil<1>
                            : which == 3 ? stencil<2>
                            : which == 4 ? stencil<4>
                                         : stencil<8>;
        kernel<<<blocks, strip>>>(rows, pitch, d_in.data(), d_out.data());
        lockstep::check(cudaGetLastError());
    };
    std::size_t wrong = 0;
    for (std::size_t which = 0; which < 6; ++which) {
        d_out.fill_bytes(0xFF);
        launch(which);
        wrong += lockstep::count_mismatches(d_out.to_host(), expected);
    }
    const char* names[] = {"through registers",   "copied, waited for at once",
                           "copied 1 row ahead",  "copied 2 rows ahead",
                           "copied 4 rows ahead", "copied 8 rows ahead"};
    if (!untimed) {
        const auto times = lockstep::time_in_turns(6, launch);
        for (int which = 0; which < 6; ++which)
            lockstep::report(names[which],
                             lockstep::measured{1e3 * times[which].median_ms}, "us");
    }
    lockstep::report("wrong elements", wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
