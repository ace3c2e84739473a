// Does it pay to compute only where it is needed? A tile of the Mandelbrot set whose
// border has one color is filled with it; any other is divided into four (the
// Mariani-Silver algorithm). Who runs the four: a grid that the tile's block launches,
// blocks that take tiles from a queue, or the host, with one launch for all tiles of a
// level? Against one thread for each pixel.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda/atomic>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int threads = 256;
constexpr int first_size = 128;    // pixels of a side of the first tiles
constexpr int capacity = 1 << 15;  // tiles in the queue

/// The picture: a square of the complex plane, and its pixels in device memory.
struct picture {
    int side;      ///< pixels of a side
    int most;      ///< steps at most
    int least;     ///< side of a smallest tile
    int* steps;    ///< side * side numbers of steps
    char* leaves;  ///< a letter for each smallest tile: which level filled it
};

/// A square of pixels.
struct tile {
    int x;     ///< first column
    int y;     ///< first row
    int size;  ///< pixels of a side
};

/// A queue of tiles in device memory. Blocks use its numbers at the same time.
struct queue {
    int taken;            ///< places that blocks have asked for
    int put;              ///< places that hold a tile, or will
    int done;             ///< tiles that are finished
    int gave_up;          ///< whether a block gave up waiting
    int ready[capacity];  ///< for each place, whether its tile is there
    tile tiles[capacity];
};

// [pixel]
/// Steps until a point leaves the circle of radius 2, at most p.most.
/// @param p     the picture
/// @param x, y  the pixel
__device__ int steps_of(const picture& p, int x, int y) {
    const double re = -2.0 + 2.5 * x / p.side, im = -1.25 + 2.5 * y / p.side;
    double a = 0, b = 0;
    int steps = 0;
    for (; steps < p.most && a * a + b * b <= 4; ++steps) {
        const double next = a * a - b * b + re;
        b = 2 * a * b + im;
        a = next;
    }
    return steps;
}
// [/pixel]

/// One thread for each pixel.
/// @param p  the picture, written
__global__ void all_pixels(picture p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.side * p.side) p.steps[i] = steps_of(p, i % p.side, i / p.side);
}

// [tile]
/// Computes the border of a tile, and its inside if no division is needed; one block.
/// @param p  the picture, written
/// @param t  the tile
/// @return whether the tile must be divided: the same in all threads
__device__ bool visit(const picture& p, tile t) {
    __shared__ int color;  // of the first pixel
    const int last = t.size - 1;
    int low = p.most, high = 0;
    for (int i = int(threadIdx.x); i < 4 * last; i += threads) {
        const int side = i / last, k = i % last;  // around, one side after the other
        const int x = t.x + (side == 0   ? k
                             : side == 1 ? last
                             : side == 2 ? last - k
                                         : 0);
        const int y = t.y + (side == 0   ? 0
                             : side == 1 ? k
                             : side == 2 ? last
                                         : last - k);
        const int found = p.steps[y * p.side + x] = steps_of(p, x, y);
        low = min(low, found);
        high = max(high, found);
        if (i == 0) color = found;
    }
    __syncthreads();
    const bool none = low > high;  // more threads than pixels of the border
    const bool same = __syncthreads_and(none || (low == color && high == color));
    if (!same && t.size > p.least) return true;

    const int inner = t.size - 2, cells = t.size / p.least;
    for (int i = int(threadIdx.x); i < inner * inner; i += threads) {
        const int x = t.x + 1 + i % inner, y = t.y + 1 + i / inner;
        p.steps[y * p.side + x] = same ? color : steps_of(p, x, y);
    }
    // [/tile]
    int level = 0;
    for (int size = first_size; size > t.size; size /= 2) ++level;
    const char letter = !same ? '#' : (color == p.most ? 'a' : 'A') + level;
    for (int i = int(threadIdx.x); i < cells * cells; i += threads)
        p.leaves[(t.y / p.least + i / cells) * (p.side / p.least) + t.x / p.least +
                 i % cells] = letter;
    return false;
}

// [children]
/// Visits tiles, one per block; launches a grid for each that must be divided.
/// @param p     the picture, written
/// @param x, y  the first tile's place
/// @param size  side of a tile
/// @param count  in device memory: launches, and those that were refused
__global__ void visit_tiles(picture p, int x, int y, int size, int* count) {
    const tile t{x + int(blockIdx.x) * size, y + int(blockIdx.y) * size, size};
    if (visit(p, t) && threadIdx.x == 0) {
        visit_tiles<<<dim3(2, 2), threads, 0, cudaStreamFireAndForget>>>(
            p, t.x, t.y, size / 2, count);
        atomicAdd(count + (cudaGetLastError() != cudaSuccess), 1);
    }
}
// [/children]

// [level]
/// Visits all tiles of one level, one per block, and lists those of the next.
/// @param p      the picture, written
/// @param now    a tile for each block in device memory
/// @param next   room for four times as many in device memory, written
/// @param found  in device memory: how many there are in next, zero before
__global__ void visit_level(picture p, const tile* now, tile* next, int* found) {
    const tile t = now[blockIdx.x];
    if (visit(p, t) && threadIdx.x == 0) {
        const int half = t.size / 2, at = atomicAdd(found, 4);
        for (int k = 0; k < 4; ++k)
            next[at + k] = {t.x + k % 2 * half, t.y + k / 2 * half, half};
    }
}
// [/level]

// [put]
/// Puts the first tiles into the queue; one thread.
/// @param p  the picture
/// @param q  set to all zeros before
__global__ void put_first(picture p, queue* q) {
    for (int y = 0; y < p.side; y += first_size)
        for (int x = 0; x < p.side; x += first_size) {
            q->tiles[q->put] = {x, y, first_size};
            q->ready[q->put++] = 1;
        }
}
// [/put]

// [take]
/// Takes tiles from the queue until all are done.
/// @param p  the picture, written
/// @param q  the queue
__global__ void take_tiles(picture p, queue* q) {
    using word = cuda::atomic_ref<int, cuda::thread_scope_device>;
    __shared__ tile t;
    __shared__ bool over;
    while (true) {
        if (threadIdx.x == 0) {
            const int i = word(q->taken).fetch_add(1, cuda::memory_order_relaxed);
            const long long start = clock64();
            over = i >= capacity;
            while (!over && word(q->ready[i]).load(cuda::memory_order_acquire) == 0) {
                const int done = word(q->done).load(cuda::memory_order_acquire);
                over = done == word(q->put).load(cuda::memory_order_relaxed);
                if (clock64() - start > 2'000'000'000) {
                    word(q->gave_up).store(1, cuda::memory_order_relaxed);
                    over = true;
                }
            }
            if (!over) t = q->tiles[i];
        }
        __syncthreads();
        if (over) return;
        const bool divided = visit(p, t);
        if (threadIdx.x == 0) {
            const int half = t.size / 2;
            const int at =
                divided ? word(q->put).fetch_add(4, cuda::memory_order_relaxed) : 0;
            for (int k = 0; divided && k < 4 && at + k < capacity; ++k) {
                q->tiles[at + k] = {t.x + k % 2 * half, t.y + k / 2 * half, half};
                word(q->ready[at + k]).store(1, cuda::memory_order_release);
            }
            word(q->done).fetch_add(1, cuda::memory_order_release);
        }
        __syncthreads();  // before `t` changes
    }
}
// [/take]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int tiles = options.integer("tiles", 16, 1, 16);
    const int most = options.integer("steps", 4096, 16, 1 << 14);
    const bool show = options.flag("picture");
    const int rounds = options.flag("untimed") ? 1 : 20;
    options.finish();
    lockstep::require_device();

    const int side = tiles * first_size;
    const int least = show ? 8 : 32;
    const int cells = side / least;
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int blocks = 4 * sms;  // that take tiles: a few for each SM
    lockstep::device_buffer<int> d_pixels(side * side), d_children(side * side),
        d_queued(side * side), d_by_level(side * side), d_count(2), d_found(1);
    std::vector<tile> first;
    for (int i = 0; i < tiles * tiles; ++i)
        first.push_back({i % tiles * first_size, i / tiles * first_size, first_size});
    const lockstep::device_buffer<tile> d_first(first);
    lockstep::device_buffer<tile> d_even(cells * cells), d_odd(cells * cells);
    lockstep::device_buffer<char> d_leaves(cells * cells);
    lockstep::device_buffer<queue> d_queue(1);
    const picture p{side, most, least, d_pixels.data(), d_leaves.data()};
    picture by_children = p, by_queue = p, by_level = p;
    by_children.steps = d_children.data();
    by_queue.steps = d_queued.data();
    by_level.steps = d_by_level.data();
    for (auto* buffer : {&d_pixels, &d_children, &d_queued, &d_by_level})
        buffer->fill_bytes(0xFF);

    // [levels]
    const auto level_by_level = [&] {
        const tile* now = d_first.data();
        tile* next = d_even.data();
        int count = tiles * tiles;
        while (count > 0) {
            lockstep::check(cudaMemsetAsync(d_found.data(), 0, sizeof(int)));
            visit_level<<<count, threads>>>(by_level, now, next, d_found.data());
            lockstep::check(cudaGetLastError());
            lockstep::check(cudaMemcpy(&count, d_found.data(), sizeof count,
                                       cudaMemcpyDeviceToHost));
            now = next;
            next = next == d_even.data() ? d_odd.data() : d_even.data();
        }
    };
    // [/levels]

    // [ways]
    const auto work = [&](std::size_t method) {
        if (method == 0) all_pixels<<<side * side / threads, threads>>>(p);
        if (method == 1) {
            lockstep::check(cudaMemsetAsync(d_count.data(), 0, d_count.bytes()));
            visit_tiles<<<dim3(tiles, tiles), threads>>>(by_children, 0, 0, first_size,
                                                         d_count.data());
        }
        if (method == 2) {
            lockstep::check(cudaMemsetAsync(d_queue.data(), 0, d_queue.bytes()));
            put_first<<<1, 1>>>(p, d_queue.data());
            take_tiles<<<blocks, threads>>>(by_queue, d_queue.data());
        }
        if (method == 3) level_by_level();
        lockstep::check(cudaGetLastError());
    };
    const std::vector<lockstep::timing> times =
        lockstep::time_in_turns(4, work, rounds);
    // [/ways]

    const std::vector<int> pixels = d_pixels.to_host(), count = d_count.to_host();
    const std::vector<int> children = d_children.to_host();
    const auto differ = lockstep::count_mismatches(children, pixels);
    const auto queued = lockstep::count_mismatches(d_queued.to_host(), children);
    const auto levels = lockstep::count_mismatches(d_by_level.to_host(), children);
    lockstep::report("pixels", side * side);
    lockstep::report("grids launched by kernels", count[0]);
    lockstep::report("pixels unlike the first way", differ);
    if (show) {
        const std::vector<char> leaves = d_leaves.to_host();
        for (int y = 0; y < cells; ++y)
            std::printf("%.*s\n", cells, leaves.data() + y * cells);
    } else {
        lockstep::report("a thread for each pixel",
                         lockstep::measured{times[0].median_ms}, "ms");
        lockstep::report("child grids", lockstep::measured{times[1].median_ms}, "ms");
        lockstep::report("work queue", lockstep::measured{times[2].median_ms}, "ms");
        lockstep::report("host, level by level", lockstep::measured{times[3].median_ms},
                         "ms");
    }
    int gave_up = 0;
    lockstep::check(cudaMemcpy(&gave_up, &d_queue.data()->gave_up, sizeof gave_up,
                               cudaMemcpyDeviceToHost));
    const bool right = count[1] == 0 && gave_up == 0 && queued == 0 && levels == 0 &&
                       differ <= pixels.size() / 1000;
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
