// An array is copied in, computed, and copied out, one step after the other, from
// pageable memory. Pin it, and divide the work into chunks, chunk c in stream c modulo
// the number of streams. The last chunk may be shorter. Only enqueue: the caller waits.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/stream_latch.hpp>

using word = std::uint32_t;

/// A number far along a random sequence.
/// @param value  where the sequence starts
__host__ __device__ word scrambled(word value) {
    for (int round = 0; round < 800; ++round) value = value * 1664525u + (value >> 7);
    return value;
}

/// Scrambles each element.
/// @param n  number of elements
/// @param x  n words in device memory
/// @param y  n words in device memory, written
__global__ void scramble(int n, const word* x, word* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = scrambled(x[i]);
}

/// The work: n words at x and y on the host, at d_x and d_y on the device.
struct job {
    int n, chunks;
    word *x, *y, *d_x, *d_y;
    std::vector<cudaStream_t> streams;
};

/// Whether an array on the host is pinned.
bool pinned(const word* data) {
    cudaPointerAttributes found{};
    lockstep::check(cudaPointerGetAttributes(&found, data));
    return found.type == cudaMemoryTypeHost;
}

/// Makes the memory of the host ready for copies that overlap. Called once.
void prepare(const job& j) {
    // [task-memory]
    for (word* data : {j.x, j.y})
        lockstep::check(
            cudaHostRegister(data, j.n * sizeof(word), cudaHostRegisterDefault));
    //= given
    //| // x and y come from std::vector: what is missing?
    //| (void)j;
    //= mutant only_the_input_pinned
    //| lockstep::check(
    //|     cudaHostRegister(j.x, j.n * sizeof(word), cudaHostRegisterDefault));
    // [/task-memory]
}

/// Enqueues the copy in, the kernel and the copy out of a part of the array.
/// @param j       the job
/// @param begin   its first element
/// @param size    its number of elements
/// @param stream  where to
void enqueue_part(const job& j, int begin, int size, cudaStream_t stream) {
    // [task-part]
    const std::size_t bytes = size * sizeof(word);
    lockstep::check(cudaMemcpyAsync(j.d_x + begin, j.x + begin, bytes,
                                    cudaMemcpyHostToDevice, stream));
    scramble<<<(size + 255) / 256, 256, 0, stream>>>(size, j.d_x + begin,
                                                     j.d_y + begin);
    lockstep::check(cudaMemcpyAsync(j.y + begin, j.d_y + begin, bytes,
                                    cudaMemcpyDeviceToHost, stream));
    //= given
    //| (void)stream;
    //| const std::size_t bytes = size * sizeof(word);
    //| lockstep::check(
    //|     cudaMemcpy(j.d_x + begin, j.x + begin, bytes, cudaMemcpyHostToDevice));
    //| scramble<<<(size + 255) / 256, 256>>>(size, j.d_x + begin, j.d_y + begin);
    //| lockstep::check(
    //|     cudaMemcpy(j.y + begin, j.d_y + begin, bytes, cudaMemcpyDeviceToHost));
    //= mutant kernel_without_a_stream
    //| const std::size_t bytes = size * sizeof(word);
    //| lockstep::check(cudaMemcpyAsync(j.d_x + begin, j.x + begin, bytes,
    //|                                 cudaMemcpyHostToDevice, stream));
    //| scramble<<<(size + 255) / 256, 256>>>(size, j.d_x + begin, j.d_y + begin);
    //| lockstep::check(cudaMemcpyAsync(j.y + begin, j.d_y + begin, bytes,
    //|                                 cudaMemcpyDeviceToHost, stream));
    //= mutant copy_in_without_a_stream
    //| const std::size_t bytes = size * sizeof(word);
    //| lockstep::check(cudaMemcpyAsync(j.d_x + begin, j.x + begin, bytes,
    //|                                 cudaMemcpyHostToDevice));
    //| scramble<<<(size + 255) / 256, 256, 0, stream>>>(size, j.d_x + begin,
    //|                                                  j.d_y + begin);
    //| lockstep::check(cudaMemcpyAsync(j.y + begin, j.d_y + begin, bytes,
    //|                                 cudaMemcpyDeviceToHost, stream));
    //= mutant copy_out_without_a_stream
    //| const std::size_t bytes = size * sizeof(word);
    //| lockstep::check(cudaMemcpyAsync(j.d_x + begin, j.x + begin, bytes,
    //|                                 cudaMemcpyHostToDevice, stream));
    //| scramble<<<(size + 255) / 256, 256, 0, stream>>>(size, j.d_x + begin,
    //|                                                  j.d_y + begin);
    //| lockstep::check(cudaMemcpyAsync(j.y + begin, j.d_y + begin, bytes,
    //|                                 cudaMemcpyDeviceToHost));
    // [/task-part]
    lockstep::check(cudaGetLastError());
}

/// Enqueues the whole job.
void enqueue(const job& j) {
    // [task-chunks]
    const int chunk = (j.n + j.chunks - 1) / j.chunks;
    for (int c = 0; c < j.chunks; ++c)
        enqueue_part(j, c * chunk, std::min(chunk, j.n - c * chunk),
                     j.streams[c % j.streams.size()]);
    //= given
    //| enqueue_part(j, 0, j.n, j.streams[1]);
    //= mutant remainder_dropped
    //| const int chunk = j.n / j.chunks;
    //| for (int c = 0; c < j.chunks; ++c)
    //|     enqueue_part(j, c * chunk, chunk, j.streams[c % j.streams.size()]);
    //= mutant one_stream
    //| const int chunk = (j.n + j.chunks - 1) / j.chunks;
    //| for (int c = 0; c < j.chunks; ++c)
    //|     enqueue_part(j, c * chunk, std::min(chunk, j.n - c * chunk), j.streams[1]);
    //= mutant last_chunk_too_long
    //| const int chunk = (j.n + j.chunks - 1) / j.chunks;
    //| for (int c = 0; c < j.chunks; ++c)
    //|     enqueue_part(j, c * chunk, chunk, j.streams[c % j.streams.size()]);
    //= mutant chunks_in_a_row
    //| const int chunk = (j.n + j.chunks - 1) / j.chunks;
    //| const int in_stream = j.chunks / static_cast<int>(j.streams.size());
    //| for (int c = 0; c < j.chunks; ++c)
    //|     enqueue_part(j, c * chunk, std::min(chunk, j.n - c * chunk),
    //|                  j.streams[c / in_stream]);
    // [/task-chunks]
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 15'000'001, 1000, 1 << 26);
    const bool untimed = options.flag("untimed");
    options.finish();
    lockstep::require_device();

    constexpr int period = 4099;  // the input repeats itself: a short reference
    constexpr int margin = 16;  // elements beyond the array, which are no one's
    constexpr word untouched = 0xA5A5A5A5;
    std::vector<word> x(n + margin), y(n + margin, untouched), expected(n);
    for (int i = 0; i < n; ++i) {
        x[i] = lockstep::random_word(i % period);
        expected[i] = i < period ? scrambled(x[i]) : expected[i - period];
    }
    lockstep::device_buffer<word> d_x(n + margin), d_y(n + margin);
    d_x.fill_bytes(0);
    d_y.fill_bytes(0);
    const std::vector<lockstep::owned_stream> pool(4);
    const job j{n,
                16,
                x.data(),
                y.data(),
                d_x.data(),
                d_y.data(),
                {pool[0], pool[1], pool[2], pool[3]}};
    lockstep::load_kernels(scramble);
    lockstep::check(cudaDeviceSynchronize());  // the pool does not wait for the fills
    prepare(j);

    lockstep::exercise_verdict verdict;
    verdict.holds("x and y are pinned", pinned(j.x) && pinned(j.y),
                  "what does a copy from or to pageable memory do to its caller?");
    lockstep::stream_latch one, others;
    one.hold(pool[1]);
    one.hold(cudaStreamLegacy);  // what has no stream waits, too
    for (int s : {0, 2, 3}) others.hold(pool[s]);
    enqueue(j);
    verdict.holds("host only enqueues", one.closed() && others.closed(),
                  "while all streams were held back, a call waited: which one?");
    others.open();
    for (int s : {0, 2, 3}) lockstep::check(cudaStreamSynchronize(pool[s]));
    const int chunk = (n + j.chunks - 1) / j.chunks;
    const auto first_wrong = [&](int c) {  // an element, or -1
        const int end = std::min(n, (c + 1) * chunk);
        int i = c * chunk;
        while (i < end && y[i] == expected[i]) ++i;
        return i < end ? i : -1;
    };
    int stray = 0;  // the first chunk that is where it should not be
    while (stray < j.chunks && (first_wrong(stray) < 0) == (stray % 4 != 1)) ++stray;
    std::string what = "while stream 1 and the default stream were held back, chunk " +
                       std::to_string(stray) + " of stream " +
                       std::to_string(stray % 4);
    if (stray < j.chunks)
        what += first_wrong(stray) < 0
                    ? " arrived"
                    : " was wrong from element " + std::to_string(first_wrong(stray)) +
                          " on: did it arrive?";
    verdict.holds("other streams go on", one.closed() && stray == j.chunks,
                  what.c_str());
    one.open();
    lockstep::check(cudaDeviceSynchronize());
    int c = 0;
    while (c < j.chunks && first_wrong(c) < 0) ++c;
    if (c < j.chunks)
        what = "chunk " + std::to_string(c) + " is wrong from element " +
               std::to_string(first_wrong(c)) + " of " + std::to_string(n) +
               " on: is it copied in before and out after its kernel, and whole?";
    else
        what = "the last chunk goes on beyond the end of the array";
    const bool within = std::count(y.begin() + n, y.end(), untouched) == margin;
    verdict.holds("every chunk is right", c == j.chunks && within, what.c_str());
    if (!untimed) {
        const auto milliseconds = [&](auto work) {
            return lockstep::time_on_host([&] {
                       work();
                       lockstep::check(cudaDeviceSynchronize());
                   })
                .median_ms;
        };
        const double serial =
            milliseconds([&] { enqueue_part(j, 0, n, j.streams[0]); });
        const double chunked = milliseconds([&] { enqueue(j); });
        verdict.at_least("speedup over one stream", serial / chunked, 1.5,
                         "what still runs one after the other?");
    }
    for (word* data : {j.x, j.y})
        if (pinned(data)) lockstep::check(cudaHostUnregister(data));
    return verdict.finish();
}
