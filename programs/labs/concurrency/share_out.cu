// Four workers share an array: each has a stream, a buffer, and a GPU, worker w the GPU
// w modulo their number. On a machine with one GPU all four use that one. In the
// starter worker 0 does everything. Give each worker its share on its device, so that
// all four work at the same time.

#include <cstddef>
#include <string>
#include <vector>

#include <lockstep/exercise_verdict.hpp>
#include <lockstep/load_kernels.hpp>
#include <lockstep/random.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/shared_flag.hpp>

constexpr int n = 100'003;
constexpr int workers = 4;

/// What a worker and the check know of a worker; in pinned memory.
struct worker {
    int begin, size;  ///< its share
    int device;  ///< current when it was started
    int* d_x;  ///< its share on the device
    cudaStream_t stream;  ///< its stream, null when it is finished
    lockstep::shared_flag at;  ///< raised when its kernel has begun
    lockstep::shared_flag met;  ///< raised when it saw all others begin
};

/// Triples numbers; its first thread waits a moment for the other workers.
/// @param size  number of ints
/// @param x     that many ints in device memory
/// @param all   the workers, in pinned memory
/// @param me    index of this one
__global__ void triple(int size, int* x, worker* all, int me) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) x[i] *= 3;
    if (i > 0) return;
    all[me].at.raise();
    const long long start = clock64();
    for (int w = 0; w < workers; ++w)
        while (!all[w].at.raised())
            if (clock64() - start > 200'000'000) return;
    all[me].met.raise();
}

/// The devices, as the workers see them.
struct machine {
    int devices = 0;  ///< how many there are
    int selected = 0;  ///< the worker whose device is current

    /// Makes a worker's device current: what is created or launched next belongs to it.
    void select(int w) {
        lockstep::check(cudaSetDevice(w % devices));
        selected = w;
    }
};

/// Enqueues a worker's copy in, kernel and copy out on the current device.
/// @param m            the devices
/// @param x            n ints in pinned memory
/// @param all          the workers
/// @param w            index of the one to start
/// @param begin, size  its share of x
void start(const machine& m, int* x, worker* all, int w, int begin, int size) {
    worker& one = all[w];
    one.begin = begin;
    one.size = size;
    one.device = m.selected;
    const std::size_t bytes = size * sizeof(int);
    lockstep::check(cudaStreamCreateWithFlags(&one.stream, cudaStreamNonBlocking));
    lockstep::check(cudaMalloc(&one.d_x, bytes));
    lockstep::check(
        cudaMemcpyAsync(one.d_x, x + begin, bytes, cudaMemcpyHostToDevice, one.stream));
    triple<<<(size + 255) / 256, 256, 0, one.stream>>>(size, one.d_x, all, w);
    lockstep::check(cudaGetLastError());
    lockstep::check(
        cudaMemcpyAsync(x + begin, one.d_x, bytes, cudaMemcpyDeviceToHost, one.stream));
}

/// Waits until a worker is done, and frees what it had.
void finish(worker& one) {
    lockstep::check(cudaStreamSynchronize(one.stream));
    lockstep::check(cudaStreamDestroy(one.stream));
    lockstep::check(cudaFree(one.d_x));
    one.stream = nullptr;
}

/// Shares the numbers out.
void share_out(machine& m, int* x, worker* all) {
    // [task]
    for (int w = 0; w < workers; ++w) {
        const int begin = n * w / workers;
        const int end = n * (w + 1) / workers;
        m.select(w);
        start(m, x, all, w, begin, end - begin);
    }
    for (int w = 0; w < workers; ++w) finish(all[w]);
    //= given
    //| m.select(0);
    //| start(m, x, all, 0, 0, n);
    //| finish(all[0]);
    //= mutant one_loop
    //| for (int w = 0; w < workers; ++w) {
    //|     const int begin = n / workers * w;
    //|     m.select(w);
    //|     start(m, x, all, w, begin, w + 1 < workers ? n / workers : n - begin);
    //|     finish(all[w]);
    //| }
    //= mutant remainder_lost
    //| for (int w = 0; w < workers; ++w) {
    //|     m.select(w);
    //|     start(m, x, all, w, n / workers * w, n / workers);
    //| }
    //| for (int w = 0; w < workers; ++w) finish(all[w]);
    //= mutant selected_once
    //| m.select(0);
    //| for (int w = 0; w < workers; ++w) {
    //|     const int begin = n / workers * w;
    //|     start(m, x, all, w, begin, w + 1 < workers ? n / workers : n - begin);
    //| }
    //| for (int w = 0; w < workers; ++w) finish(all[w]);
    //= mutant shares_overlap
    //| const int size = n / workers + n % workers;  // enough for the last one
    //| for (int w = 0; w < workers; ++w) {
    //|     m.select(w);
    //|     start(m, x, all, w, n / workers * w, size);
    //| }
    //| for (int w = 0; w < workers; ++w) finish(all[w]);
    //= mutant beyond_the_end
    //| const int size = (n + workers - 1) / workers;
    //| for (int w = 0; w < workers; ++w) {
    //|     m.select(w);
    //|     start(m, x, all, w, w * size, size);
    //| }
    //| for (int w = 0; w < workers; ++w) finish(all[w]);
    //= mutant waits_for_the_last_only
    //| for (int w = 0; w < workers; ++w) {
    //|     const int begin = n * w / workers;
    //|     const int end = n * (w + 1) / workers;
    //|     m.select(w);
    //|     start(m, x, all, w, begin, end - begin);
    //| }
    //| finish(all[workers - 1]);
    // [/task]
}

int main() {
    lockstep::require_device();
    machine m;
    lockstep::check(cudaGetDeviceCount(&m.devices));
    int* x = nullptr;
    worker* all = nullptr;
    lockstep::check(cudaMallocHost(&x, n * sizeof(int)));
    lockstep::check(cudaMallocHost(&all, workers * sizeof(worker)));
    for (int w = 0; w < workers; ++w)
        all[w] = worker{0, 0, -1, nullptr, nullptr, {}, {}};
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) {
        x[i] = static_cast<int>(lockstep::random_word(i) % 1000);
        expected[i] = 3 * x[i];
    }
    for (int w = 0; w < workers; ++w) {
        m.select(w);
        lockstep::load_kernels(triple);  // on each device before the kernels meet
    }
    m.select(0);
    share_out(m, x, all);

    lockstep::exercise_verdict verdict;
    int wrong = 0;
    while (wrong < n && x[wrong] == expected[wrong]) ++wrong;
    std::string what;
    int next = 0;  // where the next share must begin
    for (int w = 0; w < workers && what.empty(); ++w) {
        if (all[w].device < 0) continue;
        const std::string name = "worker " + std::to_string(w);
        if (all[w].stream) what = "nothing waited for " + name;
        if (all[w].begin != next)
            what = name + " begins with number " + std::to_string(all[w].begin) +
                   ", not " + std::to_string(next);
        next = all[w].begin + all[w].size;
    }
    if (what.empty() && next != n)
        what = "the shares end before number " + std::to_string(next) +
               ", the array before number " + std::to_string(n);
    const bool fits = what.empty();
    if (wrong < n)
        what = "number " + std::to_string(wrong) + " of " + std::to_string(n) +
               " is wrong: whose share is it in?";
    verdict.holds("every number tripled, once", wrong == n && fits, what.c_str());
    for (int w = workers - 1; w >= 0; --w)
        if (!all[w].met.raised())
            what = "worker " + std::to_string(w) + " did not see all others begin";
    verdict.holds("all work at the same time",
                  all[0].met.raised() && all[workers - 1].met.raised(), what.c_str());
    bool own = true;
    for (int w = workers - 1; w >= 0; --w) {
        if (all[w].device == w) continue;
        own = false;
        what = "worker " + std::to_string(w) +
               (all[w].device < 0 ? " was not started"
                                  : " was started while another's device was current");
    }
    verdict.holds("each on its own device", own, what.c_str());
    lockstep::check(cudaFreeHost(x));
    lockstep::check(cudaFreeHost(all));
    return verdict.finish();
}
