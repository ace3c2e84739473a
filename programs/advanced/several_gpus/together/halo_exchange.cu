// A bar is heated at its ends and cools toward the middle; each step a cell becomes
// the mean of its neighbors. Two GPUs hold a half each, and need one row of the
// other's before every step. The row can go through the host, from GPU to GPU, from
// GPU to GPU while the rows are computed that do not need it, or be read from the other
// GPU by the kernel itself. All four give what one GPU gives alone.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

#include "spread_heat.cuh"

enum class transfer { host, peer, interior_first, direct };

/// The bar on one GPU or two.
class bar {
public:
    bar(int devices, int width, int rows, transfer how)
        : devices_(devices), width_(width), rows_(rows / devices), how_(how) {
        lockstep::check(cudaMallocHost(&staging_, 2 * width * sizeof(float)));
        for (int d = 0; d < devices; ++d) {
            lockstep::check(cudaSetDevice(d));
            parts_.emplace_back();  // its stream and events belong to this device
            for (float*& cells : parts_[d].cells) {
                lockstep::check(cudaMalloc(&cells, rows_ * width * sizeof(float)));
                lockstep::check(cudaMemset(cells, 0, rows_ * width * sizeof(float)));
            }
            lockstep::check(cudaMalloc(&parts_[d].halo, width * sizeof(float)));
            const std::vector<float> hot(width, 1000.0F);
            const int edge = d == 0 ? 0 : (rows_ - 1) * width;
            const auto heat = [&](int first) {
                for (float* cells : parts_[d].cells)
                    lockstep::check(cudaMemcpy(cells + first, hot.data(),
                                               width * sizeof(float),
                                               cudaMemcpyDefault));
            };
            heat(edge);
            if (devices == 1) heat((rows_ - 1) * width);
            lockstep::check(cudaDeviceSynchronize());
        }
    }
    bar(const bar&) = delete;
    bar& operator=(const bar&) = delete;
    ~bar() {
        for (const part& one : parts_) {
            cudaFree(one.halo);
            for (float* cells : one.cells) cudaFree(cells);
        }
        cudaFreeHost(staging_);
    }

    /// Does some steps and waits.
    void run(int steps) {
        for (int s = 0; s < steps; ++s) {
            if (how_ == transfer::interior_first) {
                step_interior_first();
                now_ = 1 - now_;
                continue;
            }
            // [wait]
            // the other has ended its step: halos are free, rows are there
            for (int d = 0; devices_ == 2 && d < 2; ++d) {
                lockstep::check(cudaSetDevice(d));
                lockstep::check(
                    cudaStreamWaitEvent(parts_[d].stream, parts_[1 - d].done, 0));
            }
            // [/wait]
            if (devices_ == 2 && how_ != transfer::direct) exchange();
            for (int d = 0; d < devices_; ++d) {
                part& mine = parts_[d];
                lockstep::check(cudaSetDevice(d));
                const float* border = nullptr;
                if (devices_ == 2) {
                    const part& other = parts_[1 - d];
                    border =
                        how_ == transfer::direct
                            ? other.cells[now_] + (d == 0 ? 0 : (rows_ - 1) * width_)
                            : mine.halo;
                }
                const dim3 grid((width_ + 255) / 256, rows_);
                spread_heat<<<grid, 256, 0, mine.stream>>>(
                    width_, rows_, d == 1 ? border : nullptr, d == 0 ? border : nullptr,
                    mine.cells[now_], mine.cells[1 - now_]);
                lockstep::check(cudaGetLastError());
            }
            for (int d = 0; d < devices_; ++d) {
                lockstep::check(cudaSetDevice(d));
                lockstep::check(cudaEventRecord(parts_[d].done, parts_[d].stream));
            }
            now_ = 1 - now_;
        }
        wait();
    }

    /// All cells.
    std::vector<float> cells() const {
        std::vector<float> all(devices_ * rows_ * width_);
        for (int d = 0; d < devices_; ++d)
            lockstep::check(
                cudaMemcpy(all.data() + d * rows_ * width_, parts_[d].cells[now_],
                           rows_ * width_ * sizeof(float), cudaMemcpyDefault));
        return all;
    }

private:
    struct part {
        float* cells[2]{};
        float* halo = nullptr;
        lockstep::owned_stream stream;
        lockstep::owned_stream copies;  // beside the kernels
        lockstep::owned_event done{cudaEventDisableTiming};
        lockstep::owned_event sent{cudaEventDisableTiming};
    };

    // [exchange]
    /// Each GPU sends its border row to the other's halo.
    void exchange() {
        const std::size_t bytes = width_ * sizeof(float);
        for (int d = 0; d < 2; ++d) {
            part& mine = parts_[d];
            part& other = parts_[1 - d];
            const float* border =
                mine.cells[now_] + (d == 0 ? (rows_ - 1) * width_ : 0);
            lockstep::check(cudaSetDevice(d));
            if (how_ == transfer::peer) {
                lockstep::check(cudaMemcpyPeerAsync(other.halo, 1 - d, border, d, bytes,
                                                    mine.stream));
            } else {
                lockstep::check(cudaMemcpyAsync(staging_ + d * width_, border, bytes,
                                                cudaMemcpyDefault, mine.stream));
                lockstep::check(cudaMemcpyAsync(other.halo, staging_ + d * width_,
                                                bytes, cudaMemcpyDefault, mine.stream));
            }
            lockstep::check(cudaEventRecord(mine.sent, mine.stream));
        }
        for (int d = 0; d < 2; ++d) {
            lockstep::check(cudaSetDevice(d));
            lockstep::check(
                cudaStreamWaitEvent(parts_[d].stream, parts_[1 - d].sent, 0));
        }
    }
    // [/exchange]

    // [interior-first]
    /// One step of two GPUs: the border rows travel in streams of their own, while the
    /// kernels compute all rows that need no row of the other GPU.
    void step_interior_first() {
        for (int d = 0; d < 2; ++d) {
            part& mine = parts_[d];
            part& other = parts_[1 - d];
            lockstep::check(cudaSetDevice(d));
            // the last step has computed my border, and the other has read its halo
            lockstep::check(cudaStreamWaitEvent(mine.copies, mine.done, 0));
            lockstep::check(cudaStreamWaitEvent(mine.copies, other.done, 0));
            lockstep::check(cudaMemcpyPeerAsync(
                other.halo, 1 - d, mine.cells[now_] + border_row(d) * width_, d,
                width_ * sizeof(float), mine.copies));
            lockstep::check(cudaEventRecord(mine.sent, mine.copies));
        }
        for (int d = 0; d < 2; ++d) {
            lockstep::check(cudaSetDevice(d));
            step(d, d == 0 ? 0 : 1, rows_ - 1);  // all rows but the border
        }
        for (int d = 0; d < 2; ++d) {
            part& mine = parts_[d];
            lockstep::check(cudaSetDevice(d));
            lockstep::check(cudaStreamWaitEvent(mine.stream, parts_[1 - d].sent, 0));
            step(d, border_row(d), 1);
            lockstep::check(cudaEventRecord(mine.done, mine.stream));
        }
    }
    // [/interior-first]

    /// The row of a GPU that touches the rows of the other.
    int border_row(int d) const { return d == 0 ? rows_ - 1 : 0; }

    /// Computes some rows of one of two GPUs; those at the border read the halo.
    void step(int d, int first, int rows) {
        part& mine = parts_[d];
        const float* before = mine.cells[now_] + first * width_;
        const float* above = first > 0 ? before - width_ : d == 1 ? mine.halo : nullptr;
        const float* below = first + rows < rows_ ? before + rows * width_
                             : d == 0             ? mine.halo
                                                  : nullptr;
        const dim3 grid((width_ + 255) / 256, rows);
        spread_heat<<<grid, 256, 0, mine.stream>>>(
            width_, rows, above, below, before, mine.cells[1 - now_] + first * width_);
        lockstep::check(cudaGetLastError());
    }

    void wait() {
        for (int d = 0; d < devices_; ++d) {
            lockstep::check(cudaSetDevice(d));
            lockstep::check(cudaStreamSynchronize(parts_[d].stream));
        }
    }

    int devices_;
    int width_;
    int rows_;
    transfer how_;
    int now_ = 0;
    float* staging_ = nullptr;
    std::vector<part> parts_;
};

/// The ways to do a step, and how their times are called.
constexpr struct {
    const char* label;
    const char* in_series;
    int devices;
    transfer how;
} ways[] = {{"one GPU", "one GPU", 1, transfer::peer},
            {"two, through the host", "through the host", 2, transfer::host},
            {"two, peer copies", "peer copies", 2, transfer::peer},
            {"two, interior first", "interior first", 2, transfer::interior_first},
            {"two, read by the kernel", "read by the kernel", 2, transfer::direct}};

/// Does steps in each way, and times them.
class comparison {
public:
    comparison(int width, int rows, int steps) {
        std::vector<float> expected;
        for (const auto& way : ways) {
            bar all(way.devices, width, rows, way.how);
            all.run(steps);
            if (expected.empty()) expected = all.cells();
            different_ += lockstep::count_mismatches(all.cells(), expected);
            us_.push_back(1e3 *
                          lockstep::time_on_host([&] { all.run(steps); }, 5).median_ms /
                          steps);
        }
        heated_ = expected[0] == 1000;
    }

    double us(int way) const { return us_[way]; }
    std::size_t different() const { return different_; }
    bool right() const { return different_ == 0 && heated_; }

private:
    std::vector<double> us_;
    std::size_t different_ = 0;
    bool heated_ = false;
};

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int width = options.integer("width", 16'384, 1, 1 << 20);
    const int rows = options.integer("rows", 8192, 4, 1 << 15) / 2 * 2;
    const int steps = options.integer("steps", 50, 1, 10'000);
    const char* csv = options.text("csv");
    options.finish();
    lockstep::require_device(0, 2);

    for (const int device : {0, 1}) {
        lockstep::check(cudaSetDevice(device));
        lockstep::check(cudaDeviceEnablePeerAccess(1 - device, 0));
    }
    if (csv) {
        lockstep::csv_file series(csv, "way,rows,~us");
        bool right = true;
        int pays_from = 128;
        for (int n = pays_from; n <= rows; n *= 2) {
            const comparison found(width, n, steps);
            for (std::size_t i = 0; i < std::size(ways); ++i)
                series.row("%s,%d,%.4g", ways[i].in_series, n, found.us(i));
            right = right && found.right();
            if (found.us(2) >= found.us(0)) pays_from = 2 * n;
        }
        series.finish();
        lockstep::report("rows where peer copies pay", lockstep::counted{pays_from});
        return right ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    const comparison found(width, rows, steps);
    for (std::size_t i = 0; i < std::size(ways); ++i)
        lockstep::report(ways[i].label, lockstep::measured{found.us(i)}, "us a step");
    lockstep::report("speedup with peer copies",
                     lockstep::measured{found.us(0) / found.us(2)}, "times");
    lockstep::report("cells that differ", found.different());
    return found.right() ? EXIT_SUCCESS : EXIT_FAILURE;
}
