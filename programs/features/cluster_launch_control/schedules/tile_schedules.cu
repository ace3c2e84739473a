// How are tiles divided among blocks? One block for each tile balances uneven work, and
// pays the prologue of a block for each. A grid that stays pays it once for each block,
// but a fixed stride leaves some blocks with more work than others. Tickets, drawn from
// a counter in global memory, give both: few prologues, and the next tile to the
// block that is free.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/random.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/timer.hpp>

constexpr int block_size = 64;
constexpr int table_words = 10240;  // 40 KiB of shared memory
constexpr int rare = 8;  // one tile of eight may be heavy

/// What all schedules work on; arrays in device memory.
struct job {
    int tiles;  ///< number of tiles
    const int* steps;  ///< amount of work of each tile
    const float* table;  ///< table_words increments
    float* result;  ///< block_size numbers for each tile; each tile adds to its own
    unsigned* prologues;  ///< counts the blocks that loaded the table
    int* drawn;  ///< tickets that were drawn
};

// [parts]
/// The prologue of a block: loads the table into shared memory.
__device__ void load_table(const job& work, float* table) {
    const auto* from = reinterpret_cast<const float4*>(work.table);
    for (int i = threadIdx.x; i < table_words / 4; i += block_size)
        reinterpret_cast<float4*>(table)[i] = from[i];
    if (threadIdx.x == 0) atomicAdd(work.prologues, 1);
    __syncthreads();
}

/// The work on a tile: a chain of additions, each of which waits for the one before.
__device__ void compute(const job& work, const float* table, int tile) {
    const float increment = table[tile % table_words];
    const int steps = work.steps[tile];
    auto value = static_cast<float>(tile * block_size + threadIdx.x);
    for (int step = 0; step < steps; ++step) value += increment;
    work.result[tile * block_size + threadIdx.x] += value;
}
// [/parts]

// [block-per-tile]
/// Computes one tile in each block.
/// @param work  the tiles; the grid has a block for each
__global__ void block_per_tile(job work) {
    __shared__ alignas(16) float table[table_words];
    load_table(work, table);
    compute(work, table, blockIdx.x);
}
// [/block-per-tile]

// [fixed-stride]
/// Computes the tiles in blocks that stay, each with every gridDim.x-th tile.
/// @param work  the tiles
__global__ void fixed_stride(job work) {
    __shared__ alignas(16) float table[table_words];
    load_table(work, table);
    for (int tile = blockIdx.x; tile < work.tiles; tile += gridDim.x)
        compute(work, table, tile);
}
// [/fixed-stride]

// [tickets]
/// Computes the tiles in blocks that stay, each with the next free tile.
/// @param work  the tiles; no ticket is drawn yet
__global__ void tickets(job work) {
    __shared__ alignas(16) float table[table_words];
    __shared__ int next;
    load_table(work, table);
    int tile = blockIdx.x;  // the first tile needs no ticket
    while (tile < work.tiles) {
        int ticket = 0;
        if (threadIdx.x == 0) ticket = gridDim.x + atomicAdd(work.drawn, 1);
        compute(work, table, tile);  // needs no ticket
        if (threadIdx.x == 0) next = ticket;
        __syncthreads();
        tile = next;
        __syncthreads();  // all have read it before thread 0 overwrites it
    }
}
// [/tickets]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int tiles = options.integer("tiles", 10560, 1, 100000);  // 80 x 132 SMs
    const int mean_steps = options.integer("steps", 2000, 1, 100000);
    const bool untimed = options.flag("untimed");
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device();

    // whole numbers below 2^24 throughout, so that sums of floats are exact
    std::vector<float> table(table_words);
    for (int i = 0; i < table_words; ++i)
        table[i] = static_cast<float>(1 + lockstep::random_word(i) % 7);
    std::vector<int> steps(tiles);
    lockstep::device_buffer<float> d_table(table);
    lockstep::device_buffer<float> d_result(std::size_t(tiles) * block_size);
    lockstep::device_buffer<unsigned> d_prologues(1);
    lockstep::device_buffer<int> d_steps(tiles), d_drawn(1);
    const job work{tiles,           d_steps.data(),     d_table.data(),
                   d_result.data(), d_prologues.data(), d_drawn.data()};

    // [grid]
    int sms = 0, blocks_per_sm = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    lockstep::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks_per_sm, tickets, block_size, 0));
    const int resident = std::min(sms * blocks_per_sm, tiles);
    // [/grid]
    const char* names[] = {"one block per tile", "fixed stride", "tickets"};
    const auto launch = [&](std::size_t schedule) {
        if (schedule == 0) {
            block_per_tile<<<tiles, block_size>>>(work);
        } else if (schedule == 1) {
            fixed_stride<<<resident, block_size>>>(work);
        } else {
            d_drawn.fill_bytes(0);
            tickets<<<resident, block_size>>>(work);
        }
        lockstep::check(cudaGetLastError());
    };

    lockstep::report("tiles", tiles);
    lockstep::report("persistent blocks", resident);
    lockstep::csv_file series(csv, "heavy_percent,schedule,~us");
    bool right = true;
    for (int heavy = 0; heavy <= 100; heavy += untimed ? 100 : 20) {
        // [work]
        for (int tile = 0; tile < tiles; ++tile) {
            const bool is_heavy = lockstep::random_word(tile) % rare == 0;
            steps[tile] = mean_steps * (100 - heavy) / 100;
            if (is_heavy) steps[tile] += rare * (mean_steps * heavy / 100);
        }
        // [/work]
        lockstep::check(cudaMemcpy(d_steps.data(), steps.data(), d_steps.bytes(),
                                   cudaMemcpyHostToDevice));
        for (std::size_t schedule = 0; schedule < 3; ++schedule) {
            d_result.fill_bytes(0);
            d_prologues.fill_bytes(0);
            launch(schedule);
            const std::vector<float> result = d_result.to_host();
            for (int i = 0; i < tiles * block_size; ++i) {
                const int tile = i / block_size;
                const float sum = float(steps[tile]) * table[tile % table_words];
                right &= result[i] == float(i) + sum;
            }
            const unsigned prologues = d_prologues.to_host()[0];
            right &= prologues == unsigned(schedule == 0 ? tiles : resident);
            if (heavy == 0)
                lockstep::report((std::string(names[schedule]) + ":").c_str(),
                                 prologues, "prologues");
        }
        if (untimed) continue;
        const auto times = lockstep::time_in_turns(3, launch);
        for (std::size_t schedule = 0; schedule < 3; ++schedule)
            series.row("%d,%s,%.2f", heavy, names[schedule],
                       times[schedule].median_ms * 1e3);
    }
    series.finish();
    lockstep::report("each tile computed once", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
