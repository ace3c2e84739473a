// A bar is heated at its ends and cools toward the middle; each step a cell becomes
// the mean of its neighbors. Two GPUs hold a half each, and need one row of the
// other's before every step. The row can go through the host, from GPU to GPU, or be
// read from the other GPU by the kernel itself. All three give what one GPU gives
// alone.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_event.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

#include "spread_heat.cuh"

enum class transfer { host, peer, direct };

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

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int width = options.integer("width", 16'384, 1, 1 << 20);
    const int rows = options.integer("rows", 8192, 4, 1 << 15) / 2 * 2;
    const int steps = options.integer("steps", 50, 1, 10'000);
    options.finish();
    lockstep::require_device(0, 2);

    for (const int device : {0, 1}) {
        lockstep::check(cudaSetDevice(device));
        lockstep::check(cudaDeviceEnablePeerAccess(1 - device, 0));
    }
    std::vector<float> expected;
    std::size_t different = 0;
    const auto run = [&](const char* name, int devices, transfer how) {
        bar all(devices, width, rows, how);
        all.run(steps);
        if (expected.empty()) expected = all.cells();
        different += lockstep::count_mismatches(all.cells(), expected);
        const double us =
            1e3 * lockstep::time_on_host([&] { all.run(steps); }, 5).median_ms / steps;
        lockstep::report(name, lockstep::measured{us}, "us a step");
        return us;
    };
    const double alone = run("one GPU", 1, transfer::peer);
    run("two, through the host", 2, transfer::host);
    const double peer = run("two, peer copies", 2, transfer::peer);
    run("two, read by the kernel", 2, transfer::direct);
    lockstep::report("speedup with peer copies", lockstep::measured{alone / peer},
                     "times");
    lockstep::report("cells that differ", different);
    return different == 0 && expected[0] == 1000 ? EXIT_SUCCESS : EXIT_FAILURE;
}
