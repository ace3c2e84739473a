// The contract between a program's device side and the runtime: each name and code stands here
// only. Three parties read it: the rewriter, which puts calls into the device side; the headers of
// device code in include/; and the runtime, which answers. It is plain C++17 and needs nothing else
// of it.
#pragma once

#include "abi_async.hpp"
#include "abi_launches.hpp"
#include "abi_tables.hpp"
#include "abi_textures.hpp"

namespace emulator_abi {

// -- accesses to memory

// The code of an access: a sum of these; 0 is a plain read of aligned memory.
enum access_code : int {
    access_write = 1,  // it writes (a read and write in one counts as a write); else it reads
    access_volatile = 2,  // of volatile memory: others may have to go on before the memory changes
    access_unaligned = 4,  // the compiler knows of no alignment, so none is checked
    access_padded = 8,  // may read padding, which need not have been written
    access_bit_field = 16,  // reads the neighbors of a bit-field in order to write them back
};

// The shadow byte that each byte of device memory has.
enum shadow_byte : unsigned char {
    shadow_not_allocated = 0,  // belongs to no living allocation, or is a guard byte
    shadow_uninitialized = 1,  // allocated and never written
    shadow_initialized = 2,  // written at least once; the quick checks compare with this one
    shadow_copied = 3,  // an asynchronous copy under way writes it
    shadow_watched = 4,  // added to a state: the runtime hears of each access, for races
};

// Bytes after each shared variable that belong to none, so that an index too large meets no other
// variable.
constexpr int shared_guard_bytes = 64;
// Bytes that the rewriter puts after each variable of the device side, for the same reason.
constexpr int variable_guard_bytes = 61;
// The number of dynamic shared memory as a whole; static shared variables are numbered from 0.
constexpr int dynamic_shared_variable = -1;
// The number of the place in the source that is not known; its text is empty.
constexpr int unknown_place = 0;

// -- barriers and warp operations

// The site of a call at which threads wait for one another: its last argument, a whole i32. The
// headers write no_site; the rewriter numbers the calls of the optimized module from first_site on,
// each with a number of its own.
constexpr int no_site = 0;
constexpr int first_site = 1;

// What a barrier of a block gives back.
enum barrier_kind : int {
    barrier_plain = 0,  // nothing
    barrier_count = 1,  // for how many threads the value is not 0
    barrier_and = 2,  // whether it is not 0 for all
    barrier_or = 3,  // whether it is not 0 for any
};

// Which threads a group barrier waits for.
enum group_scope : int {
    scope_block = 0,  // those of the block
    scope_cluster = 1,  // those of the cluster
    scope_grid = 2,  // those of the whole grid, which needs a cooperative launch
};

// The phase that a group_wait names if the caller kept no token.
constexpr int any_phase = 0;

// Where a kernel launches a graph: addresses in place of streams.
enum graph_stream : unsigned {
    launch_tail = 0x7fff0001,  // after its own graph and all that this has launched
    launch_child = 0x7fff0002,  // at once; its own graph is not complete before
    launch_sibling = 0x7fff0003,  // at once; the graph that launched its own is not complete before
};

// Of the shared variable that a function has which launches graphs. It takes no room: what counts
// is that the table of a kernel that can reach the function names it.
constexpr int launching_mark_bytes = 0;

// What a thread may ask about its cluster.
enum cluster_query : int {
    cluster_rank = 0,  // the block's rank in its cluster
    cluster_blocks = 1,  // how many blocks the cluster has
    cluster_index_x = 2,  // the block's index in its cluster, along x
    cluster_index_y = 3,  // along y
    cluster_index_z = 4,  // along z
    cluster_size_x = 5,  // blocks of the cluster along x
    cluster_size_y = 6,  // along y
    cluster_size_z = 7,  // along z
    launch_cooperative = 8,  // whether the launch is cooperative
};

// -- atomic operations

// What an atomic operation does with the old value.
enum atomic_operation : int {
    atomic_add = 0,  // adds
    atomic_exchange = 1,  // puts another in its place
    atomic_min = 2,  // keeps the smaller
    atomic_max = 3,  // keeps the larger
    atomic_and = 4,  // bitwise and
    atomic_or = 5,  // bitwise or
    atomic_xor = 6,  // bitwise exclusive or
    atomic_increment = 7,  // adds 1, or becomes 0 from the limit on
    atomic_decrement = 8,  // subtracts 1, or becomes the limit from 0 or above the limit
    atomic_compare_swap = 9,  // puts another in its place if it is the expected one
    atomic_load = 10,  // only reads
    atomic_store = 11,  // only writes
    atomic_ordered = 32,  // added to an operation that orders other accesses, too
};

// The kind of a value that an atomic operation works on. The type's code is kind | bytes <<
// atomic_bytes_shift.
enum atomic_kind : int {
    atomic_signed = 0,  // an integer with a sign
    atomic_unsigned = 1,  // an integer without
    atomic_float = 2,  // a float
    atomic_double = 3,  // a double
};
constexpr int atomic_bytes_shift = 8;
constexpr int atomic_type(int kind, int bytes) { return kind | bytes << atomic_bytes_shift; }

// -- address spaces

// Where a pointer leads.
enum address_space : int {
    space_none = 0,  // nowhere on the device
    space_global = 1,  // global memory
    space_shared = 2,  // the block's shared memory
    space_constant = 3,  // a __constant__ variable
    space_local = 4,  // a thread's stack
    space_cluster_shared = 5,  // another living block's shared memory
};

// -- names: functions that the rewriter puts calls to
//
// ptr is a pointer of the target, word an integer of its size; "place" numbers a row of
// __emu_places.

namespace names {

// void (ptr address, i32 bytes, i32 access_code, i32 place): judges an access, before it happens
constexpr char access[] = "__emu_access";
// void (ptr address, i32 place), followed by bytes_code: the quick check that the rewriter defines
// and that asks access
constexpr char quick_access_prefix[] = "__emu_access_";
// void (): after the check of each read of volatile memory, lets others go on
constexpr char look[] = "__emu_look";
// void (i1 zeroext is_zero, i32 place): before an integer division
constexpr char divisor[] = "__emu_divisor";
// void (ptr address, i32 alignment, i32 writes, i32 place): before a copy whose type asks for an
// alignment
constexpr char aligned[] = "__emu_aligned";
// ptr (ptr to, ptr from, word bytes, i32 place): in place of memcpy and memmove
constexpr char copy[] = "__emu_copy";
// ptr (ptr to, i32 value, word bytes, i32 place): in place of memset
constexpr char fill[] = "__emu_fill";
// void (ptr address, word bytes, i32 access_code, i32 place of the host): before the host's access
constexpr char host_access[] = "__emu_host_access";
// void (): before a thread leaves a kernel by a return statement above its end
constexpr char returns[] = "__emu_returns";
// void (ptr array): after each array or structure on the stack, asks whether the stack holds it
constexpr char frame[] = "__emu_frame";
// void (ptr address, ptr array, word bytes of the array, word bytes, i32 writes, i32 place): before
// an access to an array on the stack at an index that is not known before
constexpr char local[] = "__emu_local";
// void (i32 line): before each line of the source, in a program for the stepper; negative where the
// body of a loop begins, which is a step also in the line of the loop's head
constexpr char line[] = "__emu_line";
// void (i32 variable, i64 bits): after each assignment to a local variable, in such a program
constexpr char assigned[] = "__emu_assigned";
// ptr (i32 variable): where the block has this shared variable
constexpr char shared[] = "__emu_shared";
// i32 or i64 (), followed by the name of a special register: laneid, warpid, smid, globaltimer
constexpr char register_prefix[] = "__emu_register_";
// i64 (): one of them, which looks at the clock
constexpr char register_globaltimer[] = "__emu_register_globaltimer";
// i32 (i32 arguments, ptr format, ...): in place of printf
constexpr char print[] = "__emu_printf";
// void (ptr expression, ptr file, i32 line, ptr function): in place of __assert_fail
constexpr char assert_fail[] = "__emu_assert_fail";
// ptr (word bytes): in place of malloc
constexpr char device_malloc[] = "__emu_device_malloc";
// void (ptr): in place of free
constexpr char device_free[] = "__emu_device_free";

// -- names: functions that the headers call
//
// Most end in (..., ptr file, i32 line) of the call in the source; those with a site have it after
// that.

// i32 (i32 barrier_kind, i32 value, ptr file, i32 line, i32 site): __syncthreads and its relatives
constexpr char barrier[] = "__emu_barrier";
// void (i32 group_scope, ptr file, i32 line, i32 site): the barriers of cooperative groups
constexpr char group_barrier[] = "__emu_group_barrier";
// i32 (i32 group_scope, ptr file, i32 line): arrives at a group's barrier without waiting; the
// phase
constexpr char group_arrive[] = "__emu_group_arrive";
// void (i32 group_scope, i32 phase, ptr file, i32 line): waits until all have arrived in that phase
constexpr char group_wait[] = "__emu_group_wait";
// void (i32 threads, ptr value, i32 bytes, i32 source, ptr result, ptr file, i32 line): the barrier
// of a tile of several warps, which gives each thread its source's value
constexpr char tile_exchange[] = "__emu_tile_exchange";
// i32 (ptr file, i32 line, i32 site): the lanes of the warp that are at this call
constexpr char active_lanes[] = "__emu_active_lanes";
// void (i32 mask, ptr file, i32 line): __syncwarp
constexpr char warp_barrier[] = "__emu_warp_barrier";
// i32 (i32 mask, ptr value, i32 bytes, ptr all, ptr file, i32 line): gives each lane the values of
// all; which brought one
constexpr char warp_gather[] = "__emu_warp_gather";
// void (i32 mask, ptr value, i32 bytes, i32 source, ptr result, ptr file, i32 line): gives each
// lane its source's value
constexpr char shuffle[] = "__emu_shuffle";
// i32 (): the lane's number
constexpr char lane[] = "__emu_lane";
// i64 (): clock64()
constexpr char clock[] = "__emu_clock";
// i64 (): the device's time in nanoseconds
constexpr char nanoseconds[] = "__emu_nanoseconds";
// void (i32 nanoseconds): __nanosleep
constexpr char sleep[] = "__emu_sleep";
// void (i32 cudaError_t, ptr text, ptr file, i32 line): stops the kernel
constexpr char fault[] = "__emu_fault";
// i64 (ptr, i32 type, i32 operation, i64 value, i64 expected, ptr file, i32 line): the old value
constexpr char atomic[] = "__emu_atomic";
// void (): a fence of any scope
constexpr char fence[] = "__emu_fence";
// ptr (ptr mine, i32 rank, ptr file, i32 line): this shared variable of another block of the
// cluster
constexpr char remote_shared[] = "__emu_remote_shared";
// i32 (ptr, ptr file, i32 line): the rank of the block of the cluster that has this shared variable
constexpr char shared_rank[] = "__emu_shared_rank";
// void (): the block has no objection to the next kernel's beginning
constexpr char trigger[] = "__emu_trigger";
// void (i64 handle, i32 value): sets the value that a conditional node of a graph looks at
constexpr char set_conditional[] = "__emu_set_conditional";
// i32 (ptr graph, ptr graph_stream, ptr mark of launching_mark_bytes): launches; a cudaError_t
constexpr char graph_launch[] = "__emu_graph_launch";
// ptr (): the graph of the kernel, if it is one that kernels may launch
constexpr char current_graph[] = "__emu_current_graph";
// void (): waits until the kernel before has ended
constexpr char grid_dependency[] = "__emu_grid_dependency";
// i32 (i32 cluster_query)
constexpr char cluster_query[] = "__emu_cluster_query";
// word (ptr, ptr file, i32 line): the address of shared memory in its own space
constexpr char shared_address[] = "__emu_shared_address";
// i32 (ptr): the address_space of a pointer
constexpr char space[] = "__emu_space";

// Functions whose last argument is a site.
constexpr const char* with_site[] = {barrier, group_barrier, active_lanes};
// In these, and reading volatile memory, a thread may give way; all else runs as a plain loop.
constexpr const char* yielding[] = {
    barrier,       warp_barrier,  warp_gather,     shuffle,
    active_lanes,  group_barrier, group_wait,      clock,
    nanoseconds,   sleep,         atomic,          mbarrier_wait,
    tile_exchange, trigger,       grid_dependency, register_globaltimer,
    launch};

// -- names: variables of the runtime that device code reads

constexpr char thread[] = "__emu_thread";  // uint3 threadIdx
constexpr char block[] = "__emu_block";  // uint3 blockIdx
constexpr char block_size[] = "__emu_block_size";  // dim3 blockDim
constexpr char grid_size[] = "__emu_grid_size";  // dim3 gridDim
constexpr char arena_begin[] = "__emu_arena_begin";  // word: where device memory begins
constexpr char arena_end[] = "__emu_arena_end";  // word: where it ends
constexpr char arena_shadow[] = "__emu_arena_shadow";  // ptr: the shadow byte of its first byte
// word: the shared memory of all living blocks begins here
constexpr char shared_low[] = "__emu_shared_low";
constexpr char shared_high[] = "__emu_shared_high";  // word: and ends here
// ptr: not null while a write has to be settled
constexpr char pending_write[] = "__emu_pending_write";

// i8, in a program for the stepper: not 0 while a thread runs whose steps are shown
constexpr char stepped[] = "__emu_stepped";

// -- names: what the rewriter defines; an N stands for a number from 0 on

constexpr char trampoline_prefix[] = "__emu_trampoline";  // N: void (ptr arguments), calls kernel N
constexpr char sizes_prefix[] = "__emu_sizes";  // N: i32[], bytes of its arguments, then -1
// N: i32[], for each pointer among its arguments which one and the byte in it, then -1
constexpr char pointers_prefix[] = "__emu_pointers";
// N: i32[], where its arguments lie in the buffer of a launch in a kernel, then -1
constexpr char offsets_prefix[] = "__emu_offsets";
// N: an alias of a variable that the host names
constexpr char variable_prefix[] = "__emu_variable";
constexpr char variable_bytes_prefix[] = "__emu_variable_bytes";  // N: word, its size
// N: word, the size of a __managed__ variable
constexpr char managed_bytes_prefix[] = "__emu_managed_bytes";
// shared_variable[], one row more than there are
constexpr char shared_variables[] = "__emu_shared_variables";
// i8, not 0 if the runtime hears of each write to global memory
constexpr char writes_noted[] = "__emu_writes_noted";
constexpr char device_image[] = "__emu_device_image";  // image_range[], ends with a null begin

}  // namespace names

}  // namespace emulator_abi
