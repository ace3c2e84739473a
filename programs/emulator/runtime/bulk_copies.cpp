// Bulk copies: to shared memory, which a barrier is told of, and to global memory, in groups.

#include <memory>
#include <string>
#include <vector>

#include "accesses.hpp"
#include "async_state.hpp"
#include "bulk_copies.hpp"
#include "faults.hpp"
#include "global_writes.hpp"
#include "memory.hpp"
#include "races.hpp"
#include "running_launch.hpp"

namespace emulator {

namespace {

[[noreturn]] void refuse(const async_copy& copy, const std::string& text) {
    fault(cudaErrorIllegalInstruction, copy.place(), text);
}

// The engine must see the initialization of the barrier that it will tell.
void check_init_fenced(const async_barrier& barrier, const async_copy& copy) {
    const thread_block& block = *current_block;
    if (barrier.owner != &block || !block.races_checked || barrier.made_known ||
        is_fenced(block, current_thread, barrier.maker, barrier.made_epoch, barrier.made_step))
        return;
    fault(cudaErrorLaunchFailure, copy.place(),
          "an asynchronous copy tells a barrier that thread " + thread_text(block, barrier.maker) +
              " initialized at " + barrier.place() +
              ", with no proxy fence between: that thread needs fence_proxy_async, or "
              "fence_mbarrier_init, after the initialization");
}

void tell(async_barrier& barrier, const copy_item& copy) {
    int64_t coming = 0;
    for (const copy_item& other : barrier.copies) coming += int64_t(other->bytes);
    if (current_block != barrier.owner && coming == barrier.bytes)
        finish_copies(barrier);  // they may have come by now
    copy->phase = barrier.phase;
    for (const copy_piece& piece : copy->pieces) copy->bytes += piece.bytes;
    barrier.copies.push_back(copy);
}

unsigned char* in_block(const void* mine, unsigned rank, const async_copy& copy) {
    const thread_block* other = rank < current_running->per_cluster()
                                    ? current_running->in_cluster(*current_block, rank)
                                    : nullptr;
    if (!other) refuse(copy, "a multicast names a block that is not in the cluster");
    return other->shared + (static_cast<const unsigned char*>(mine) - current_block->shared);
}

}  // namespace

void begin_bulk(const copy_item& copy, void* barrier_address) {
    thread_block* target = block_of_shared(copy->pieces.empty() ? nullptr : copy->pieces[0].to);
    if (!barrier_address) {
        if (target) refuse(*copy, "a bulk copy to shared memory has no barrier to tell");
        begin_copy(copy);
        async_of(*current_block).copies[current_thread].bulk_open.push_back(copy);
        return;
    }
    if (!target)
        refuse(*copy, "a bulk copy to shared memory leads elsewhere, or to a block that has ended");
    if (block_of_shared(barrier_address) != target)
        refuse(*copy, "a bulk copy tells a barrier of another block than the one it writes");
    const auto barrier = barrier_at(barrier_address, copy->file, copy->line);
    if (copy->proxy && !copy->of_library) check_init_fenced(*barrier, *copy);
    tell(*barrier, copy);
    begin_copy(copy);
}

void begin_multicast(const async_copy& model, void* barrier, unsigned blocks) {
    if (!blocks) return begin_bulk(std::make_shared<async_copy>(model), barrier);
    for (unsigned rank = 0; blocks >> rank; ++rank) {
        if (!(blocks >> rank & 1)) continue;
        const auto copy = std::make_shared<async_copy>(model);
        for (copy_piece& piece : copy->pieces) piece.to = in_block(piece.to, rank, *copy);
        begin_bulk(copy, in_block(barrier, rank, *copy));
    }
}

}  // namespace emulator

using namespace emulator;

extern "C" {

void __emu_bulk_copy(void* to, const void* from, unsigned bytes, void* barrier, unsigned blocks,
                     int operation, int type, const char* file, int line) {
    async_copy copy;
    copy.file = file;
    copy.line = line;
    copy.of_library = operation & abi::bulk_of_library;
    copy.operation = operation &= ~abi::bulk_of_library;
    copy.type = type;
    if (bytes % 16) refuse(copy, "a bulk copy of a size that is no multiple of 16 bytes");
    if ((uintptr_t(to) | uintptr_t(from)) % 16)
        fault(cudaErrorMisalignedAddress, copy.place(),
              "a bulk copy from or to an address that is no multiple of 16");
    if (!bytes) refuse(copy, "a bulk copy of no bytes");
    const thread_block* source = block_of_shared(from);
    if (source && source != current_block)
        refuse(copy, "a bulk copy reads another block's shared memory");
    if (!barrier && !source)
        refuse(copy, "a bulk copy to global memory from elsewhere than shared");
    copy.pieces.push_back(
        {static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), bytes});
    begin_multicast(copy, barrier, blocks);
}

void __emu_bulk_commit() {
    thread_copies& own = async_of(*current_block).copies[current_thread];
    own.bulk_groups.push_back(std::move(own.bulk_open));
    own.bulk_open.clear();
}

void __emu_bulk_wait(unsigned prior, int only_read) {
    thread_copies& own = async_of(*current_block).copies[current_thread];
    settle();
    for (size_t i = 0; i + prior < own.bulk_groups.size(); ++i)
        for (const copy_item& copy : own.bulk_groups[i]) {
            if (only_read)
                read_source(*copy);
            else
                carry_out(copy, current_thread, 0);
        }
    while (!only_read && own.bulk_groups.size() > prior) own.bulk_groups.pop_front();
}

void __emu_store_async(void* to, const void* value, unsigned bytes, void* barrier, int operation,
                       int type, const char* file, int line) {
    const auto copy = std::make_shared<async_copy>();
    copy->file = file;
    copy->line = line;
    copy->operation = operation;
    copy->type = type;
    copy->proxy = false;
    if (uintptr_t(to) % bytes)
        fault(cudaErrorMisalignedAddress, copy->place(),
              "an asynchronous store to an address that is no multiple of its size");
    copy->pieces.push_back({static_cast<unsigned char*>(to), nullptr, bytes});
    begin_bulk(copy, barrier);
    copy->read = true;
    const auto* data = static_cast<const unsigned char*>(value);
    copy->data.assign(data, data + bytes);
}

void __emu_proxy_fence(int spaces) {
    settle();
    fence_proxy(*current_block, current_thread, spaces);
    if (spaces & abi::fenced_global) note_global_fence();
}

}  // extern "C"
