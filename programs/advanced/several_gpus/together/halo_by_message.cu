// The bar of halo_exchange once more, and now each GPU belongs to a process of its own,
// as on machines of many nodes. A border row goes by MPI through the host, by MPI from
// device memory if this MPI can, by NCCL, or by a copy into the other process's memory.

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <mpi.h>
#include <nccl.h>
#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h>
#endif

#include <lockstep/command_line.hpp>
#include <lockstep/compare.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/nccl.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

#include "spread_heat.cuh"

enum class transfer { staged, aware, nccl, copy };

/// One process's half of the bar; rank 0 has the upper.
class half_bar {
public:
    half_bar(int rank, int width, int rows)
        : rank_(rank), width_(width), rows_(rows), bytes_(width * sizeof(float)) {
        const std::vector<float> hot(width, 1000.0F);
        for (float*& cells : cells_) {
            lockstep::check(cudaMalloc(&cells, rows * bytes_));
            lockstep::check(cudaMemset(cells, 0, rows * bytes_));
            lockstep::check(cudaMemcpy(cells + (rank == 0 ? 0 : (rows - 1) * width),
                                       hot.data(), bytes_, cudaMemcpyDefault));
        }
        for (float*& halo : halos_) lockstep::check(cudaMalloc(&halo, bytes_));
        lockstep::check(cudaMallocHost(&sent_, bytes_));
        lockstep::check(cudaMallocHost(&got_, bytes_));

        // [join]
        ncclUniqueId id{};
        if (rank == 0) lockstep::check(ncclGetUniqueId(&id));
        MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
        lockstep::check(ncclCommInitRank(&nccl_, 2, id, rank));
        // [/join]
        // [open]
        cudaIpcMemHandle_t mine[2];
        cudaIpcMemHandle_t theirs[2];
        for (int i = 0; i < 2; ++i)
            lockstep::check(cudaIpcGetMemHandle(&mine[i], halos_[i]));
        MPI_Sendrecv(mine, sizeof mine, MPI_BYTE, 1 - rank, 0, theirs, sizeof theirs,
                     MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 2; ++i) {
            void* opened = nullptr;
            lockstep::check(cudaIpcOpenMemHandle(&opened, theirs[i],
                                                 cudaIpcMemLazyEnablePeerAccess));
            their_halos_[i] = static_cast<float*>(opened);
        }
        // [/open]
        lockstep::check(cudaDeviceSynchronize());
    }
    half_bar(const half_bar&) = delete;
    half_bar& operator=(const half_bar&) = delete;
    ~half_bar() {
        ncclCommDestroy(nccl_);
        for (float* halo : their_halos_) cudaIpcCloseMemHandle(halo);
        MPI_Barrier(MPI_COMM_WORLD);  // the other has closed what is freed next
        for (float* halo : halos_) cudaFree(halo);
        for (float* cells : cells_) cudaFree(cells);
        cudaFreeHost(sent_);
        cudaFreeHost(got_);
    }

    /// Does some steps and waits.
    void run(int steps, transfer how) {
        for (int step = 0; step < steps; ++step) {
            float* const border =
                cells_[now_] + (rank_ == 0 ? (rows_ - 1) * width_ : 0);
            exchange(border, halos_[now_], their_halos_[now_], how);
            const dim3 grid((width_ + 255) / 256, rows_);
            spread_heat<<<grid, 256, 0, stream_>>>(
                width_, rows_, rank_ == 1 ? halos_[now_] : nullptr,
                rank_ == 0 ? halos_[now_] : nullptr, cells_[now_], cells_[1 - now_]);
            lockstep::check(cudaGetLastError());
            now_ = 1 - now_;
        }
        lockstep::check(cudaStreamSynchronize(stream_));
    }

    /// Its cells.
    std::vector<float> cells() const {
        std::vector<float> all(std::size_t(rows_) * width_);
        lockstep::check(
            cudaMemcpy(all.data(), cells_[now_], rows_ * bytes_, cudaMemcpyDefault));
        return all;
    }

private:
    /// Sends this process's border row, and receives the other's into the halo.
    void exchange(float* border, float* halo, float* their_halo, transfer how) {
        const int other = 1 - rank_;
        switch (how) {
            case transfer::staged:
                // [staged]
                lockstep::check(
                    cudaMemcpyAsync(sent_, border, bytes_, cudaMemcpyDefault, stream_));
                lockstep::check(cudaStreamSynchronize(stream_));
                MPI_Sendrecv(sent_, width_, MPI_FLOAT, other, 0, got_, width_,
                             MPI_FLOAT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                lockstep::check(
                    cudaMemcpyAsync(halo, got_, bytes_, cudaMemcpyDefault, stream_));
                // [/staged]
                break;
            case transfer::aware:
                // [aware]
                lockstep::check(cudaStreamSynchronize(stream_));
                MPI_Sendrecv(border, width_, MPI_FLOAT, other, 0, halo, width_,
                             MPI_FLOAT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                // [/aware]
                break;
            case transfer::nccl:
                // [nccl]
                lockstep::check(ncclGroupStart());
                lockstep::check(
                    ncclSend(border, width_, ncclFloat, other, nccl_, stream_));
                lockstep::check(
                    ncclRecv(halo, width_, ncclFloat, other, nccl_, stream_));
                lockstep::check(ncclGroupEnd());
                // [/nccl]
                break;
            case transfer::copy:
                // [copy]
                lockstep::check(cudaMemcpyAsync(their_halo, border, bytes_,
                                                cudaMemcpyDefault, stream_));
                lockstep::check(cudaStreamSynchronize(stream_));
                MPI_Barrier(MPI_COMM_WORLD);  // the other's row is here as well
                // [/copy]
                break;
        }
    }

    int rank_;
    int width_;
    int rows_;
    std::size_t bytes_;
    int now_ = 0;
    float* cells_[2]{};
    // by turns: a fast process fills one while the slow one still reads the other
    float* halos_[2]{};
    float* their_halos_[2]{};
    float* sent_ = nullptr;
    float* got_ = nullptr;
    lockstep::owned_stream stream_;
    ncclComm_t nccl_ = nullptr;
};

/// The rows of one half as they are after some steps of the whole bar on one GPU.
static std::vector<float> expected_half(int rank, int width, int rows, int steps) {
    const std::size_t row = width * sizeof(float);
    float* cells[2] = {};
    const std::vector<float> hot(width, 1000.0F);
    for (float*& some : cells) {
        lockstep::check(cudaMalloc(&some, 2 * rows * row));
        lockstep::check(cudaMemset(some, 0, 2 * rows * row));
        lockstep::check(cudaMemcpy(some, hot.data(), row, cudaMemcpyDefault));
        lockstep::check(cudaMemcpy(some + (2 * rows - 1) * width, hot.data(), row,
                                   cudaMemcpyDefault));
    }
    for (int step = 0; step < steps; ++step) {
        spread_heat<<<dim3((width + 255) / 256, 2 * rows), 256>>>(
            width, 2 * rows, nullptr, nullptr, cells[0], cells[1]);
        lockstep::check(cudaGetLastError());
        std::swap(cells[0], cells[1]);
    }
    std::vector<float> part(std::size_t(rows) * width);
    lockstep::check(cudaMemcpy(part.data(), cells[0] + rank * rows * width, rows * row,
                               cudaMemcpyDefault));
    for (float* some : cells) lockstep::check(cudaFree(some));
    return part;
}

/// Whether this MPI takes pointers to device memory.
static bool cuda_aware() {
#ifdef MPIX_CUDA_AWARE_SUPPORT
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int width = options.integer("width", 16'384, 1, 1 << 20);
    const int rows = options.integer("rows", 8192, 4, 1 << 15) / 2;
    const int steps = options.integer("steps", 50, 1, 10'000);
    options.finish();
    lockstep::require_device(0, 2);
    // a transfer to one neighbor has no use for multicast
    setenv("NCCL_NVLS_ENABLE", "0", 0);

    // [start]
    MPI_Init(&argc, &argv);
    int rank = 0;
    int processes = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    // each process has one GPU
    if (processes == 2) lockstep::check(cudaSetDevice(rank));
    // [/start]
    if (processes != 2) {
        if (rank == 0)
            std::fprintf(stderr, "start two processes: mpirun -n 2 %s\n", argv[0]);
        MPI_Finalize();
        return 2;
    }
    long long different = 0;
    const auto run = [&](const char* name, transfer how) {
        half_bar mine(rank, width, rows);
        mine.run(steps, how);
        long long wrong = lockstep::count_mismatches(
            mine.cells(), expected_half(rank, width, rows, steps));
        MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
        different += wrong;
        const auto all_steps = [&] {
            MPI_Barrier(MPI_COMM_WORLD);
            mine.run(steps, how);
            MPI_Barrier(MPI_COMM_WORLD);
        };
        const double us = 1e3 * lockstep::time_on_host(all_steps, 5).median_ms / steps;
        if (rank == 0) lockstep::report(name, lockstep::measured{us}, "us a step");
    };
    run("MPI, through the host", transfer::staged);
    if (cuda_aware()) {
        run("MPI, device memory", transfer::aware);
    } else if (rank == 0) {
        lockstep::report("MPI, device memory", "not with this MPI");
    }
    run("NCCL", transfer::nccl);
    run("copy to the other process", transfer::copy);
    if (rank == 0) lockstep::report("cells that differ", different);
    MPI_Finalize();
    return different == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
