// Cooperative groups: blocks, tiles, coalesced threads, clusters, grids, and their partitions.
#pragma once

#include "cuda_runtime.h"

#include <type_traits>

namespace cooperative_groups {

namespace detail {
__EMU_DEVICE unsigned rank_in(dim3 index, dim3 size) {
    return (index.z * size.y + index.y) * size.x + index.x;
}
__EMU_DEVICE unsigned rank_in(uint3 index, dim3 size) {
    return (index.z * size.y + index.y) * size.x + index.x;
}
__EMU_DEVICE unsigned thread_rank() { return rank_in(threadIdx, blockDim); }
__EMU_DEVICE unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
__EMU_DEVICE unsigned cluster(int what) { return __emu_cluster_query(what); }
__EMU_DEVICE dim3 cluster_triple(int first) {
    return dim3(cluster(first), cluster(first + 1), cluster(first + 2));
}
enum group_kind : unsigned { block_kind, lanes_kind, cluster_kind, grid_kind };
template <typename T>
using plain = typename std::remove_cv<typename std::remove_reference<T>::type>::type;
}  // namespace detail

// A group of any kind; what it is of stands in its data, so that a copy of this part is enough.
class thread_group {
public:
    __device__ unsigned long long num_threads() const;
    __device__ unsigned long long size() const { return num_threads(); }
    __device__ unsigned long long thread_rank() const;
    __device__ void sync(__EMU_PLACE) const;

protected:
    __device__ explicit thread_group(detail::group_kind kind, unsigned mask = 0,
                                     unsigned meta_rank = 0, unsigned meta_size = 1)
        : kind_(kind), mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
    friend __device__ thread_group tiled_partition(const thread_group& parent, unsigned size,
                                                   const char* file, int line);
    detail::group_kind kind_;
    unsigned mask_, meta_rank_, meta_size_;
};

// A token of barrier_arrive, for one barrier_wait.
namespace detail {
struct token {
    int phase;
};
__EMU_DEVICE token arrive(int scope, const char* file, int line) {
    return {__emu_group_arrive(scope, file, line)};
}
}  // namespace detail

// Scratch memory of tiles with several warps, which need none here.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {};

class thread_block : public thread_group {
public:
    using arrival_token = detail::token;
    __device__ static void sync(__EMU_PLACE) {
        __emu_group_barrier(emulator_abi::scope_block, file, line, __EMU_SITE);
    }
    __device__ arrival_token barrier_arrive(__EMU_PLACE) const {
        return detail::arrive(emulator_abi::scope_block, file, line);
    }
    __device__ void barrier_wait(arrival_token&& token, __EMU_PLACE) const {
        __emu_group_wait(emulator_abi::scope_block, token.phase, file, line);
    }
    __device__ static unsigned thread_rank() { return detail::thread_rank(); }
    __device__ static unsigned num_threads() { return detail::block_threads(); }
    __device__ static unsigned size() { return num_threads(); }
    __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __device__ static dim3 dim_threads() { return blockDim; }
    __device__ static dim3 group_dim() { return blockDim; }

private:
    __device__ thread_block() : thread_group(detail::block_kind) {}
    friend __device__ thread_block this_thread_block();
    template <unsigned MaxBlockSize>
    friend __device__ thread_block this_thread_block(block_tile_memory<MaxBlockSize>&);
};
__device__ inline __attribute__((always_inline)) thread_block this_thread_block() { return {}; }
template <unsigned MaxBlockSize>
__device__ inline __attribute__((always_inline)) thread_block
this_thread_block(block_tile_memory<MaxBlockSize>&) {
    return {};
}

// A set of lanes of one warp.
class lanes : public thread_group {
public:
    __device__ unsigned num_threads() const { return unsigned(__builtin_popcount(mask_)); }
    __device__ unsigned size() const { return num_threads(); }
    __device__ unsigned thread_rank() const {
        return unsigned(__builtin_popcount(mask_ & ((1U << __emu_lane()) - 1)));
    }
    __device__ unsigned meta_group_rank() const { return meta_rank_; }
    __device__ unsigned meta_group_size() const { return meta_size_; }
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
    template <typename T>
    __device__ unsigned match_all(T value, int& same, __EMU_PLACE) const {
        return packed(__match_all_sync(mask_, value, &same, file, line));
    }
    __device__ unsigned mask() const { return mask_; }

protected:
    __device__ explicit lanes(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
        : thread_group(detail::lanes_kind, mask, meta_rank, meta_size) {}

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
};

class coalesced_group : public lanes {
private:
    __device__ explicit coalesced_group(unsigned mask, unsigned meta_rank = 0,
                                        unsigned meta_size = 1)
        : lanes(mask, meta_rank, meta_size) {}
    friend __device__ coalesced_group coalesced_threads(const char* file, int line);
    friend __device__ coalesced_group tiled_partition(const coalesced_group& parent, unsigned size,
                                                      const char* file, int line);
    template <typename Group>
    friend __device__ coalesced_group binary_parts(const Group&, bool, const char*, int);
    template <typename Group, typename Label>
    friend __device__ coalesced_group labeled_parts(const Group&, Label, const char*, int);
};
__device__ inline __attribute__((always_inline)) coalesced_group coalesced_threads(__EMU_PLACE) {
    return coalesced_group(__emu_active_lanes(file, line, __EMU_SITE));
}

namespace detail {
template <unsigned Size>
struct parent_of_several_warps {};  // what a tile of a tile may be part of
}  // namespace detail

template <unsigned Size, typename Parent = void, bool Warp = (Size <= 32)>
class thread_block_tile;

// A tile within a warp.
template <unsigned Size, typename Parent>
class thread_block_tile<Size, Parent, true> : public lanes {
public:
    static_assert(Size > 0 && (Size & (Size - 1)) == 0, "the size of a tile is a power of two");
    __device__ thread_block_tile(unsigned rank, unsigned count)
        : lanes((Size == warpSize ? 0xffffffffU : (1U << Size % warpSize) - 1)
                    << (detail::thread_rank() % warpSize / Size * Size),
                rank, count) {}
    template <typename Other>  // whose parent is of another kind
    __device__ thread_block_tile(const thread_block_tile<Size, Other>& tile)
        : lanes(tile.mask(), tile.meta_group_rank(), tile.meta_group_size()) {}
    template <typename T>
    __device__ T shfl(T value, int rank, __EMU_PLACE) const {
        return lanes::shfl(value, int(unsigned(rank) % Size), file, line);
    }
    __device__ static unsigned thread_rank() { return detail::thread_rank() % Size; }
    __device__ static constexpr unsigned num_threads() { return Size; }
    __device__ static constexpr unsigned size() { return Size; }
};

// A tile of several warps.
template <unsigned Size, typename Parent>
class thread_block_tile<Size, Parent, false> : public thread_group {
public:
    static_assert((Size & (Size - 1)) == 0 && Size <= 1024,
                  "the size of a tile is a power of two, at most 1024");
    __device__ thread_block_tile(unsigned rank, unsigned count)
        : thread_group(detail::block_kind, Size, rank, count) {}
    template <typename Other>
    __device__ thread_block_tile(const thread_block_tile<Size, Other>& tile)
        : thread_group(detail::block_kind, Size, tile.meta_group_rank(), tile.meta_group_size()) {}
    __device__ unsigned meta_group_rank() const { return meta_rank_; }
    __device__ unsigned meta_group_size() const { return meta_size_; }
    __device__ static unsigned thread_rank() { return detail::thread_rank() % Size; }
    __device__ static constexpr unsigned num_threads() { return Size; }
    __device__ static constexpr unsigned size() { return Size; }
    __device__ void sync(__EMU_PLACE) const {
        __emu_tile_exchange(Size, nullptr, 0, 0, nullptr, file, line);
    }
    template <typename T>
    __device__ T shfl(T value, int rank, __EMU_PLACE) const {
        T result;
        __emu_tile_exchange(Size, &value, sizeof(T), int(unsigned(rank) % Size), &result, file,
                            line);
        return result;
    }
    __device__ int any(int vote, __EMU_PLACE) const {
        int found = vote != 0;
        for (unsigned bits = Size / 2; bits > 0; bits /= 2)
            found |= shfl(found, int(thread_rank() ^ bits), file, line);
        return found;
    }
    __device__ int all(int vote, __EMU_PLACE) const { return !any(!vote, file, line); }
};

// -- partitions

template <unsigned Size, typename Parent>
__EMU_DEVICE thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
    static_assert(std::is_same<Parent, thread_block>::value || Size <= 1024, "");
    return {unsigned(parent.thread_rank()) / Size,
            (unsigned(parent.num_threads()) + Size - 1) / Size};
}

// Where the size is a number of the program's run: tiles within a warp.
__device__ inline __attribute__((always_inline)) coalesced_group
tiled_partition(const coalesced_group& parent, unsigned size, __EMU_PLACE) {
    if (size == 0 || size > unsigned(warpSize) || (size & (size - 1)) != 0)
        __emu_fault(cudaErrorLaunchFailure, "a tile whose size is no power of two from 1 to 32",
                    file, line);
    if (parent.num_threads() <= size) return parent;
    const unsigned number = parent.thread_rank() / size;
    unsigned mask = 0, rank = 0;
    for (int lane = 0; lane < warpSize; ++lane)
        if (parent.mask() >> lane & 1) mask |= unsigned(rank++ / size == number) << lane;
    return coalesced_group(mask, number, (parent.num_threads() + size - 1) / size);
}
__device__ inline __attribute__((always_inline)) thread_group
tiled_partition(const thread_group& parent, unsigned size, __EMU_PLACE) {
    if (size == 0 || size > unsigned(warpSize) || (size & (size - 1)) != 0)
        __emu_fault(cudaErrorLaunchFailure, "a tile whose size is no power of two from 1 to 32",
                    file, line);
    if (parent.kind_ != detail::block_kind && parent.kind_ != detail::lanes_kind)
        __emu_fault(cudaErrorLaunchFailure, "only blocks and tiles of them have tiles", file, line);
    const unsigned rank = detail::thread_rank(), first = rank % unsigned(warpSize) / size * size;
    const unsigned all = parent.kind_ == detail::lanes_kind ? parent.mask_ : 0xffffffffU;
    const unsigned count = unsigned(parent.num_threads());
    unsigned lanes_of_tile = (size == unsigned(warpSize) ? 0xffffffffU : (1U << size) - 1) << first;
    const unsigned left = detail::block_threads() - rank / warpSize * warpSize;  // of the warp
    if (left < unsigned(warpSize)) lanes_of_tile &= (1U << left) - 1;
    return thread_group(detail::lanes_kind, lanes_of_tile & all,
                        unsigned(parent.thread_rank()) / size, (count + size - 1) / size);
}

template <typename Group>
__device__ inline coalesced_group binary_parts(const Group& group, bool label, const char* file,
                                               int line) {
    const unsigned all = group.mask(), set = __ballot_sync(all, label, file, line);
    if (set == all || set == 0) return coalesced_group(all, 0, 1);
    return coalesced_group(label ? set : all & ~set, label, 2);
}
template <typename Group, typename Label>
__device__ inline coalesced_group labeled_parts(const Group& group, Label label, const char* file,
                                                int line) {
    if constexpr (std::is_same<Label, bool>::value) return binary_parts(group, label, file, line);
    const unsigned all = group.mask(), same = __match_any_sync(all, label, file, line);
    const unsigned leader = same & (0U - same);
    const unsigned leaders = __ballot_sync(all, leader == 1U << __emu_lane(), file, line);
    return coalesced_group(same, unsigned(__builtin_popcount(leaders & (leader - 1))),
                           unsigned(__builtin_popcount(leaders)));
}
__EMU_DEVICE coalesced_group binary_partition(const coalesced_group& group, bool label,
                                              __EMU_PLACE) {
    return binary_parts(group, label, file, line);
}
template <unsigned Size, typename Parent>
__EMU_DEVICE coalesced_group binary_partition(const thread_block_tile<Size, Parent>& group,
                                              bool label, __EMU_PLACE) {
    static_assert(Size <= 32, "a tile of several warps has no such partition");
    return binary_parts(group, label, file, line);
}
template <typename Label>
__EMU_DEVICE coalesced_group labeled_partition(const coalesced_group& group, Label label,
                                               __EMU_PLACE) {
    return labeled_parts(group, label, file, line);
}
template <typename Label, unsigned Size, typename Parent>
__EMU_DEVICE coalesced_group labeled_partition(const thread_block_tile<Size, Parent>& group,
                                               Label label, __EMU_PLACE) {
    static_assert(Size <= 32, "a tile of several warps has no such partition");
    return labeled_parts(group, label, file, line);
}

// -- clusters and grids

class cluster_group : public thread_group {
public:
    using arrival_token = detail::token;
    __device__ static void sync(__EMU_PLACE) {
        __emu_group_barrier(emulator_abi::scope_cluster, file, line, __EMU_SITE);
    }
    __device__ static arrival_token barrier_arrive(__EMU_PLACE) {
        return detail::arrive(emulator_abi::scope_cluster, file, line);
    }
    __device__ static void barrier_wait(__EMU_PLACE) {
        __emu_group_wait(emulator_abi::scope_cluster, emulator_abi::any_phase, file, line);
    }
    __device__ static void barrier_wait(arrival_token&& token, __EMU_PLACE) {
        __emu_group_wait(emulator_abi::scope_cluster, token.phase, file, line);
    }
    __device__ static unsigned block_rank() { return detail::cluster(emulator_abi::cluster_rank); }
    __device__ static unsigned num_blocks() {
        return detail::cluster(emulator_abi::cluster_blocks);
    }
    __device__ static dim3 block_index() {
        return detail::cluster_triple(emulator_abi::cluster_index_x);
    }
    __device__ static dim3 dim_blocks() {
        return detail::cluster_triple(emulator_abi::cluster_size_x);
    }
    __device__ static dim3 dim_threads() {
        const dim3 blocks = dim_blocks();
        return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
    }
    __device__ static dim3 thread_index() {
        const dim3 block = block_index();
        return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                    block.z * blockDim.z + threadIdx.z);
    }
    __device__ static unsigned num_threads() { return num_blocks() * detail::block_threads(); }
    __device__ static unsigned size() { return num_threads(); }
    __device__ static unsigned thread_rank() {
        return block_rank() * detail::block_threads() + detail::thread_rank();
    }
    template <typename T>
    __device__ static T* map_shared_rank(T* mine, unsigned rank, __EMU_PLACE) {
        return static_cast<T*>(__emu_remote_shared((void*)mine, rank, file, line));
    }
    __device__ static unsigned query_shared_rank(const void* shared, __EMU_PLACE) {
        return __emu_shared_rank(shared, file, line);
    }

private:
    __device__ cluster_group() : thread_group(detail::cluster_kind) {}
    friend __device__ cluster_group this_cluster();
};
__device__ inline __attribute__((always_inline)) cluster_group this_cluster() { return {}; }

class grid_group : public thread_group {
public:
    using arrival_token = detail::token;
    __device__ void sync(__EMU_PLACE) const {
        __emu_group_barrier(emulator_abi::scope_grid, file, line, __EMU_SITE);
    }
    __device__ arrival_token barrier_arrive(__EMU_PLACE) const {
        return detail::arrive(emulator_abi::scope_grid, file, line);
    }
    __device__ void barrier_wait(arrival_token&& token, __EMU_PLACE) const {
        __emu_group_wait(emulator_abi::scope_grid, token.phase, file, line);
    }
    __device__ bool is_valid() const { return detail::cluster(emulator_abi::launch_cooperative); }
    __device__ static unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    __device__ static unsigned long long block_rank() { return detail::rank_in(blockIdx, gridDim); }
    __device__ static unsigned long long num_threads() {
        return num_blocks() * detail::block_threads();
    }
    __device__ static unsigned long long size() { return num_threads(); }
    __device__ static unsigned long long thread_rank() {
        return block_rank() * detail::block_threads() + detail::thread_rank();
    }
    __device__ static dim3 thread_index() {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                    blockIdx.z * blockDim.z + threadIdx.z);
    }
    __device__ static dim3 dim_threads() {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
    __device__ static dim3 dim_blocks() { return gridDim; }
    __device__ static dim3 group_dim() { return gridDim; }
    __device__ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __device__ static dim3 dim_clusters() {
        const dim3 size = cluster_group::dim_blocks();
        return dim3(gridDim.x / size.x, gridDim.y / size.y, gridDim.z / size.z);
    }
    __device__ static dim3 cluster_index() {
        const dim3 size = cluster_group::dim_blocks();
        return dim3(blockIdx.x / size.x, blockIdx.y / size.y, blockIdx.z / size.z);
    }
    __device__ static unsigned long long num_clusters() {
        return num_blocks() / cluster_group::num_blocks();
    }
    __device__ static unsigned long long cluster_rank() {
        return detail::rank_in(cluster_index(), dim_clusters());
    }

private:
    __device__ grid_group() : thread_group(detail::grid_kind) {}
    friend __device__ grid_group this_grid();
};
__device__ inline __attribute__((always_inline)) grid_group this_grid() { return {}; }

// -- groups of any kind

__device__ inline unsigned long long thread_group::num_threads() const {
    switch (kind_) {
        case detail::block_kind: return mask_ ? mask_ : detail::block_threads();
        case detail::lanes_kind: return unsigned(__builtin_popcount(mask_));
        case detail::cluster_kind: return cluster_group::num_threads();
        default: return grid_group::num_threads();
    }
}
__device__ inline unsigned long long thread_group::thread_rank() const {
    switch (kind_) {
        case detail::block_kind: return detail::thread_rank() % (mask_ ? mask_ : 1024);
        case detail::lanes_kind:
            return unsigned(__builtin_popcount(mask_ & ((1U << __emu_lane()) - 1)));
        case detail::cluster_kind: return cluster_group::thread_rank();
        default: return grid_group::thread_rank();
    }
}
__device__ inline void thread_group::sync(const char* file, int line) const {
    switch (kind_) {
        case detail::block_kind:
            if (mask_) return __emu_tile_exchange(mask_, nullptr, 0, 0, nullptr, file, line);
            return __emu_group_barrier(emulator_abi::scope_block, file, line, __EMU_SITE);
        case detail::lanes_kind: return __emu_warp_barrier(mask_, file, line);
        case detail::cluster_kind: return cluster_group::sync(file, line);
        default: return __emu_group_barrier(emulator_abi::scope_grid, file, line, __EMU_SITE);
    }
}

template <typename Group>
__EMU_DEVICE void sync(const Group& group, __EMU_PLACE) {
    group.sync(file, line);
}
template <typename Group>
__EMU_DEVICE auto thread_rank(const Group& group) {
    return group.thread_rank();
}
template <typename Group>
__EMU_DEVICE auto group_size(const Group& group) {
    return group.size();
}

// -- one thread for all

template <typename Group, typename F, typename... Arguments>
__EMU_DEVICE void invoke_one(const Group& group, F&& function, Arguments&&... arguments) {
    if (group.thread_rank() == 0)
        static_cast<F&&>(function)(static_cast<Arguments&&>(arguments)...);
}
namespace detail {
template <typename Group, typename F, typename... Arguments>
__EMU_DEVICE auto broadcast(const Group& group, F&& function, Arguments&&... arguments) {
    plain<decltype(static_cast<F&&>(function)(static_cast<Arguments&&>(arguments)...))> result{};
    if (group.thread_rank() == 0)
        result = static_cast<F&&>(function)(static_cast<Arguments&&>(arguments)...);
    return group.shfl(result, 0);
}
}  // namespace detail
template <typename F, typename... Arguments>
__EMU_DEVICE auto invoke_one_broadcast(const coalesced_group& group, F&& function,
                                       Arguments&&... arguments) {
    return detail::broadcast(group, static_cast<F&&>(function),
                             static_cast<Arguments&&>(arguments)...);
}
template <unsigned Size, typename Parent, typename F, typename... Arguments>
__EMU_DEVICE auto invoke_one_broadcast(const thread_block_tile<Size, Parent>& group, F&& function,
                                       Arguments&&... arguments) {
    return detail::broadcast(group, static_cast<F&&>(function),
                             static_cast<Arguments&&>(arguments)...);
}

}  // namespace cooperative_groups
