// When does the GPU wait for the host? Each batch of vectors is prepared on the host,
// copied to the GPU, added up with weights, multiplied by a matrix, and copied back.
// With one set of buffers, the GPU waits while the host prepares. With two, the host
// prepares a batch while the GPU works on the one before it. NVTX ranges name what the
// host does, for the timeline.

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <nvtx3/nvtx3.hpp>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

constexpr int vectors = 64;  // of a batch; vector v has the weight v % 3 + 1

// [kernels]
/// Adds up the vectors of a batch, with their weights.
/// @param n    length of a vector
/// @param x    the vectors, one after the other, in device memory
/// @param sum  n floats in device memory, written
__global__ void add_vectors(int n, const float* x, float* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float all = 0;
    for (int v = 0; v < vectors; ++v) all += float(v % 3 + 1) * x[v * n + i];
    sum[i] = all;
}

/// Multiplies a matrix by a vector, a warp for each row.
/// @param n       rows and columns of the matrix
/// @param matrix  n x n floats, row by row, in device memory
/// @param sum     n floats in device memory
/// @param result  n floats in device memory, written
__global__ void multiply(int n, const float* matrix, const float* sum, float* result) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= n) return;  // the whole warp
    float all = 0;
    for (int i = threadIdx.x % 32; i < n; i += 32) all += matrix[row * n + i] * sum[i];
    for (int width = 16; width > 0; width /= 2)
        all += __shfl_down_sync(0xFFFFFFFF, all, width);
    if (threadIdx.x % 32 == 0) result[row] = all;
}
// [/kernels]

/// What the host puts into a place of a batch: 0, 1, 2 or 3.
float sample(int batch, int place) {
    return float(((unsigned(place) * 2654435761U >> 16) + batch) & 3);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 2048, 1, 4096);
    const int batches = options.integer("batches", 64, 1, 256);
    const int once =
        options.integer("once", 0, 0, 2);  // sets of buffers, for a timeline
    options.finish();
    lockstep::require_device();

    const int words = vectors * n;
    std::vector<float> matrix(n * n);
    for (int i = 0; i < n * n; ++i) matrix[i] = float(i % 5 == 0);
    const lockstep::device_buffer<float> d_matrix(matrix);
    lockstep::device_buffer<float> d_x(2 * words), d_sum(2 * n), d_result(2 * n);
    float *x = nullptr, *result = nullptr;
    lockstep::check(cudaMallocHost(&x, d_x.bytes()));
    lockstep::check(cudaMallocHost(&result, d_result.bytes()));
    const lockstep::owned_stream streams[2];
    lockstep::load_kernels(add_vectors, multiply);
    std::vector<float> results(batches * n);

    // [prepare]
    const auto prepare = [&](int set, int batch) {
        const nvtx3::scoped_range range{"prepare"};
        for (int i = 0; i < words; ++i) x[set * words + i] = sample(batch, i);
    };
    // [/prepare]
    // [submit]
    const auto submit = [&](int set) {
        const nvtx3::scoped_range range{"submit"};
        const cudaStream_t stream = streams[set];
        lockstep::check(cudaMemcpyAsync(d_x.data() + set * words, x + set * words,
                                        words * sizeof(float), cudaMemcpyHostToDevice,
                                        stream));
        add_vectors<<<(n + 127) / 128, 128, 0, stream>>>(n, d_x.data() + set * words,
                                                         d_sum.data() + set * n);
        multiply<<<(n + 7) / 8, 256, 0, stream>>>(
            n, d_matrix.data(), d_sum.data() + set * n, d_result.data() + set * n);
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaMemcpyAsync(result + set * n, d_result.data() + set * n,
                                        n * sizeof(float), cudaMemcpyDeviceToHost,
                                        stream));
    };
    // [/submit]
    // [collect]
    const auto collect = [&](int set, int batch) {
        const nvtx3::scoped_range range{"wait"};
        lockstep::check(cudaStreamSynchronize(streams[set]));
        std::copy_n(result + set * n, n, results.begin() + batch * n);
    };
    // [/collect]
    // [loop]
    const auto run = [&](int sets) {
        for (int batch = 0; batch < batches; ++batch) {
            prepare(batch % sets, batch);
            submit(batch % sets);
            const int done = batch - (sets - 1);  // with two sets, the batch before
            if (done >= 0) collect(done % sets, done);
        }
        if (sets == 2) collect((batches - 1) % 2, batches - 1);
    };
    // [/loop]
    std::size_t wrong = 0;
    const auto checked = [&](int sets) {
        std::fill(results.begin(), results.end(), -1.0F);
        run(sets);
        for (int batch = 0; batch < batches; ++batch) {
            std::vector<float> sum(n);
            for (int i = 0; i < words; ++i)
                sum[i % n] += float(i / n % 3 + 1) * sample(batch, i);
            for (int row = batch % 16; row < n; row += 16) {
                float expected = 0;  // whole numbers below 2^24: exact in any order
                for (int i = 0; i < n; ++i) expected += matrix[row * n + i] * sum[i];
                wrong += results[batch * n + row] != expected;
            }
        }
    };
    checked(1);
    checked(2);
    double us[3] = {};
    if (once) {
        const nvtx3::scoped_range range{"all batches"};
        run(once);
    } else {
        for (const int sets : {1, 2})
            us[sets] =
                1e3 / batches * lockstep::time_on_host([&] { run(sets); }).median_ms;
        constexpr int ranges = 100'000;
        const auto annotate = [] {
            for (int i = 0; i < ranges; ++i) const nvtx3::scoped_range range{"empty"};
        };
        const double ns = 1e6 / ranges * lockstep::time_on_host(annotate).median_ms;
        lockstep::report("NVTX range, no tool", lockstep::measured{ns}, "ns");
        lockstep::report("one set of buffers", lockstep::measured{us[1]}, "us a batch");
        lockstep::report("two sets of buffers", lockstep::measured{us[2]},
                         "us a batch");
        lockstep::report("one set / two sets", lockstep::measured{us[1] / us[2]}, "");
    }
    lockstep::report("wrong elements", wrong);
    lockstep::check(cudaFreeHost(x));
    lockstep::check(cudaFreeHost(result));
    return wrong == 0 && us[2] <= us[1] ? EXIT_SUCCESS : EXIT_FAILURE;
}
