// Asynchronous barriers and copies: a part of the contract in abi.hpp.
#pragma once

namespace emulator_abi {

// How a thread arrives at an asynchronous barrier: a sum of these.
enum arrival_code : int {
    arrival_drops = 1,  // the phases after this one expect it no more
    arrival_not_last = 2,  // must not complete the phase
    arrival_relaxed = 4,  // orders no memory
    arrival_holds = 8,  // if it completes the phase, that waits for mbarrier_release
};
// What mbarrier_arrive gives back: the phase, shifted by so many bits, and what it still expected.
constexpr int token_phase_shift = 24;
// A bit of a token: the arrival was the last, and has to call mbarrier_release.
constexpr int token_held_bit = 23;

// How a thread waits at an asynchronous barrier: a sum of these; 0 until a token's phase ends.
enum wait_code : int {
    wait_parity = 1,  // names the parity of a phase in the place of a token
    wait_test = 2,  // never waits
    wait_try = 4,  // may return before
    wait_relaxed = 8,  // orders no memory
};

// Added to the operation of a bulk copy that cuda::memcpy_async begins, which asks for no fence
// after its barrier's initialization.
constexpr int bulk_of_library = 64;

// What a kernel may change of a tensor map.
enum map_field : int {
    map_address = 0,
    map_rank = 1,  // less one
    map_size = 2,  // along a dimension
    map_stride = 3,  // between indices of the dimension after, in bytes
    map_box = 4,  // along a dimension
    map_step = 5,  // along a dimension
    map_type = 6,
    map_interleave = 7,
    map_swizzle = 8,
    map_fill = 9,
};

// Which writes a proxy fence makes visible: a sum of these.
enum fenced_space : int {
    fenced_shared = 1,  // to shared memory
    fenced_global = 2,  // to global memory
};

namespace names {

// void (ptr barrier, i32 arrivals, ptr file, i32 line): begins its first phase
constexpr char mbarrier_init[] = "__emu_mbarrier_init";
// void (ptr barrier, ptr file, i32 line): it is one no more
constexpr char mbarrier_inval[] = "__emu_mbarrier_inval";
// i64 (ptr barrier, i32 arrivals, i32 bytes, i32 arrival_code, ptr file, i32 line): expects so many
// more bytes, then arrives; the token
constexpr char mbarrier_arrive[] = "__emu_mbarrier_arrive";
// void (ptr barrier): after an arrival that holds
constexpr char mbarrier_release[] = "__emu_mbarrier_release";
// i32 (ptr barrier, i64 token or parity, i32 wait_code, ptr file, i32 line): whether the phase has
// ended
constexpr char mbarrier_wait[] = "__emu_mbarrier_wait";
// void (ptr to, ptr from, word bytes, word zeros, ptr file, i32 line): begins a copy of a thread,
// the last bytes of which are zeros
constexpr char copy_async[] = "__emu_copy_async";
// void (): the copies since the last call become a group
constexpr char copy_commit[] = "__emu_copy_commit";
// void (i32 prior): waits for all groups of the thread but the last ones
constexpr char copy_wait[] = "__emu_copy_wait";
// void (ptr barrier, i32 counted, ptr file, i32 line): the thread's copies will arrive; counted:
// the barrier expects that
constexpr char copy_arrive_on[] = "__emu_copy_arrive_on";
// void (ptr to, ptr from, i32 bytes, ptr barrier, i32 blocks, i32 atomic_operation, i32
// atomic_type, ptr file, i32 line): begins a bulk copy; blocks: 0, or the mask of a multicast
constexpr char bulk_copy[] = "__emu_bulk_copy";
// void (): the bulk copies since the last call become a group
constexpr char bulk_commit[] = "__emu_bulk_commit";
// void (i32 prior, i32 only_read): waits for all groups but the last ones
constexpr char bulk_wait[] = "__emu_bulk_wait";
// void (ptr to, ptr value, i32 bytes, ptr barrier, i32 atomic_operation, i32 atomic_type, ptr file,
// i32 line): sends a register to another block's shared memory
constexpr char store_async[] = "__emu_store_async";
// void (ptr shared, ptr tensor map, ptr coordinates, i32 rank, ptr barrier, i32 blocks, i32
// atomic_operation, ptr file, i32 line): a tile to shared memory, or from it if there is no barrier
constexpr char tensor_copy[] = "__emu_tensor_copy";
// void (i32 fenced_space): fence.proxy.async
constexpr char proxy_fence[] = "__emu_proxy_fence";
// void (): fence.mbarrier_init, of the barriers that the thread has initialized
constexpr char init_fence[] = "__emu_init_fence";
// void (ptr map): acquires a tensor map in global memory; null: releases what the thread has
// changed
constexpr char map_fence[] = "__emu_map_fence";
// void (ptr to, ptr from, ptr file, i32 line): publishes a tensor map, for a warp
constexpr char map_publish[] = "__emu_map_publish";
// void (ptr map, i32 map_field, i32 dimension, i64 value, ptr file, i32 line): changes a tensor map
constexpr char map_replace[] = "__emu_map_replace";
// void (ptr tensor map, i32 rank, i32, i32, i32, i32, i32 coordinates): prefetches a tile
constexpr char tensor_prefetch[] = "__emu_tensor_prefetch";

}  // namespace names

}  // namespace emulator_abi
