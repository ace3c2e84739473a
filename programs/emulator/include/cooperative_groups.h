// The parts of cooperative groups that the emulator has: blocks, tiles, coalesced threads,
// clusters, grids.
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {

namespace detail {
__EMU_DEVICE unsigned rank_in(dim3 index, dim3 size) {
    return (index.z * size.y + index.y) * size.x + index.x;
}
__EMU_DEVICE unsigned rank_in(uint3 index, dim3 size) {
    return (index.z * size.y + index.y) * size.x + index.x;
}
__EMU_DEVICE unsigned thread_rank() { return rank_in(threadIdx, blockDim); }
}  // namespace detail

class thread_group {};

class thread_block : public thread_group {
public:
    __device__ void sync(__EMU_PLACE) const {
        __emu_group_barrier(emulator_abi::scope_block, file, line, __EMU_SITE);
    }
    __device__ static unsigned thread_rank() { return detail::thread_rank(); }
    __device__ static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    __device__ static unsigned size() { return num_threads(); }
    __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __device__ static dim3 dim_threads() { return blockDim; }
    __device__ static dim3 group_dim() { return blockDim; }
};
__EMU_DEVICE thread_block this_thread_block() { return {}; }

// A set of lanes of one warp.
class lanes : public thread_group {
public:
    __device__ explicit lanes(unsigned mask) : mask_(mask) {}
    __device__ unsigned num_threads() const { return unsigned(__builtin_popcount(mask_)); }
    __device__ unsigned size() const { return num_threads(); }
    __device__ unsigned thread_rank() const {
        return unsigned(__builtin_popcount(mask_ & ((1U << __emu_lane()) - 1)));
    }
    __device__ void sync(__EMU_PLACE) const { __emu_warp_barrier(mask_, file, line); }
    template <typename T>
    __device__ T shfl(T value, int rank, __EMU_PLACE) const {
        return moved(value, rank, file, line);
    }
    template <typename T>
    __device__ T shfl_up(T value, int delta, __EMU_PLACE) const {
        const int rank = int(thread_rank());
        return moved(value, rank - delta < 0 ? rank : rank - delta, file, line);
    }
    template <typename T>
    __device__ T shfl_down(T value, int delta, __EMU_PLACE) const {
        const int rank = int(thread_rank());
        return moved(value, rank + delta >= int(num_threads()) ? rank : rank + delta, file, line);
    }
    template <typename T>
    __device__ T shfl_xor(T value, int bits, __EMU_PLACE) const {
        return moved(value, int(thread_rank()) ^ bits, file, line);
    }
    __device__ int any(int vote, __EMU_PLACE) const { return __any_sync(mask_, vote, file, line); }
    __device__ int all(int vote, __EMU_PLACE) const { return __all_sync(mask_, vote, file, line); }
    __device__ unsigned ballot(int vote, __EMU_PLACE) const {
        return packed(__ballot_sync(mask_, vote, file, line));
    }
    template <typename T>
    __device__ unsigned match_any(T value, __EMU_PLACE) const {
        return packed(__match_any_sync(mask_, value, file, line));
    }
    __device__ unsigned mask() const { return mask_; }

private:
    template <typename T>
    __device__ T moved(T value, int rank, const char* file, int line) const {
        T result;
        __emu_shuffle(mask_, &value, sizeof(T), lane_of(rank), &result, file, line);
        return result;
    }
    __device__ int lane_of(int rank) const {
        for (int lane = 0; lane < warpSize; ++lane)
            if (mask_ >> lane & 1 && rank-- == 0) return lane;
        return __emu_lane();
    }
    __device__ unsigned packed(unsigned votes) const {
        unsigned result = 0;
        int rank = 0;
        for (int lane = 0; lane < warpSize; ++lane) {
            if (!(mask_ >> lane & 1)) continue;
            result |= (votes >> lane & 1) << rank;
            ++rank;
        }
        return result;
    }
    unsigned mask_;
};

class coalesced_group : public lanes {
public:
    using lanes::lanes;
};
__EMU_DEVICE coalesced_group coalesced_threads(__EMU_PLACE) {
    return coalesced_group(__emu_active_lanes(file, line, __EMU_SITE));
}

template <unsigned Size, typename Parent = void>
class thread_block_tile : public lanes {
public:
    static_assert(Size <= warpSize, "the emulator has tiles of at most a warp");
    __device__ thread_block_tile(unsigned rank, unsigned count)
        : lanes((Size == warpSize ? 0xffffffffU : (1U << Size % warpSize) - 1)
                << (detail::thread_rank() % warpSize / Size * Size)),
          rank_(rank),
          count_(count) {}
    template <typename Other>  // whose parent is of another kind
    __device__ thread_block_tile(const thread_block_tile<Size, Other>& tile)
        : lanes(tile.mask()), rank_(tile.meta_group_rank()), count_(tile.meta_group_size()) {}
    __device__ unsigned meta_group_rank() const { return rank_; }
    __device__ unsigned meta_group_size() const { return count_; }
    template <typename T>
    __device__ T shfl(T value, int rank, __EMU_PLACE) const {
        return lanes::shfl(value, int(unsigned(rank) % Size), file, line);
    }
    __device__ static constexpr unsigned num_threads() { return Size; }
    __device__ static constexpr unsigned size() { return Size; }

private:
    unsigned rank_, count_;  // among the tiles of its parent
};
template <unsigned Size, typename Parent>
__EMU_DEVICE thread_block_tile<Size> tiled_partition(const Parent& parent) {
    return {parent.thread_rank() / Size, (parent.num_threads() + Size - 1) / Size};
}

class cluster_group : public thread_group {
public:
    __device__ static void sync(__EMU_PLACE) {
        __emu_group_barrier(emulator_abi::scope_cluster, file, line, __EMU_SITE);
    }
    __device__ static unsigned block_rank() {
        return __emu_cluster_query(emulator_abi::cluster_rank);
    }
    __device__ static unsigned num_blocks() {
        return __emu_cluster_query(emulator_abi::cluster_blocks);
    }
    __device__ static dim3 block_index() {
        return dim3(__emu_cluster_query(emulator_abi::cluster_index_x),
                    __emu_cluster_query(emulator_abi::cluster_index_y),
                    __emu_cluster_query(emulator_abi::cluster_index_z));
    }
    __device__ static dim3 dim_blocks() {
        return dim3(__emu_cluster_query(emulator_abi::cluster_size_x),
                    __emu_cluster_query(emulator_abi::cluster_size_y),
                    __emu_cluster_query(emulator_abi::cluster_size_z));
    }
    __device__ static unsigned num_threads() { return num_blocks() * thread_block::num_threads(); }
    __device__ static unsigned thread_rank() {
        return block_rank() * thread_block::num_threads() + detail::thread_rank();
    }
    template <typename T>
    __device__ static T* map_shared_rank(T* mine, unsigned rank, __EMU_PLACE) {
        return static_cast<T*>(__emu_remote_shared((void*)mine, rank, file, line));
    }
};
__EMU_DEVICE cluster_group this_cluster() { return {}; }

class grid_group : public thread_group {
public:
    __device__ void sync(__EMU_PLACE) const {
        __emu_group_barrier(emulator_abi::scope_grid, file, line, __EMU_SITE);
    }
    __device__ bool is_valid() const {
        return __emu_cluster_query(emulator_abi::launch_cooperative);
    }
    __device__ static unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    __device__ static unsigned long long block_rank() { return detail::rank_in(blockIdx, gridDim); }
    __device__ static unsigned long long num_threads() {
        return num_blocks() * thread_block::num_threads();
    }
    __device__ static unsigned long long size() { return num_threads(); }
    __device__ static unsigned long long thread_rank() {
        return block_rank() * thread_block::num_threads() + detail::thread_rank();
    }
    __device__ static dim3 dim_blocks() { return gridDim; }
    __device__ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};
__EMU_DEVICE grid_group this_grid() { return {}; }

template <typename Group>
__EMU_DEVICE void sync(const Group& group, __EMU_PLACE) {
    group.sync(file, line);
}

}  // namespace cooperative_groups
