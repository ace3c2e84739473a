// Asynchronous copies: each begins with its checks, and is done as late as the program allows.

#include <algorithm>
#include <cstring>
#include <string>

#include "accesses.hpp"
#include "async_state.hpp"
#include "faults.hpp"
#include "global_writes.hpp"
#include "memory.hpp"
#include "races.hpp"
#include "reductions.hpp"
#include "running_launch.hpp"

namespace emulator {

std::deque<copy_item> copies_under_way;

std::string async_copy::place() const { return place_text(file, line); }

namespace {

// To the nearest number with 10 bits after the point. How a GPU rounds half-way numbers, and what
// becomes of a NaN, no run has shown.
void round_to_tf32(async_copy& copy) {
    constexpr uint32_t lost = 0x1fff, half = 0x1000, exponent = 0x7f800000;
    for (size_t at = 0; at + 4 <= copy.data.size(); at += 4) {
        uint32_t bits;
        memcpy(&bits, copy.data.data() + at, 4);
        if ((bits & lost) == half || ((bits & exponent) == exponent && bits << 9))
            fault(
                cudaErrorNotSupported, copy.place(),
                "rounds to TF32 a NaN, or a number half way between two: the emulator lacks that");
        bits = (bits + half - 1) & ~lost;
        memcpy(copy.data.data() + at, &bits, 4);
    }
}

void mark(const copy_piece& piece, unsigned char state) {
    if (in_arena(piece.to)) set_states(shadow_of(piece.to), piece.bytes, state);
}

template <class C>
void remove(C& all, const async_copy* copy) {
    all.erase(std::remove_if(all.begin(), all.end(),
                             [=](const copy_item& one) { return one.get() == copy; }),
              all.end());
}

template <class F>
const async_copy* find_copy(const std::deque<copy_item>& all, F&& meets) {
    for (const copy_item& copy : all)
        if (std::any_of(copy->pieces.begin(), copy->pieces.end(), meets)) return copy.get();
    return nullptr;
}

bool overlap(const void* p, size_t size, const void* q, size_t bytes) {
    return uintptr_t(p) < uintptr_t(q) + bytes && uintptr_t(q) < uintptr_t(p) + size;
}

// What it finds of fences is told after the races; but it must look before these note the access.
void check_shared_of(const async_copy& copy, const void* p, int bytes, bool write, int number) {
    const bool own = copy.proxy && block_of_shared(p) == current_block;
    const std::string unfenced = own ? unfenced_write(p, bytes, write) : "";
    check_shared(p, bytes, write, number);
    if (!unfenced.empty()) fault(cudaErrorLaunchFailure, copy.place(), unfenced);
}

void check_piece(async_copy& copy, const copy_piece& piece, int number) {
    const auto text = [&] { return copy.place(); };
    if (piece.from) {
        check_bounds(piece.from, piece.bytes, false, text);
        if (in_arena(piece.from) &&
            !any_is(states_to_read(piece.from), piece.bytes, abi::shadow_initialized))
            check_access(piece.from, 1, false, text);
        if (thread_block* block = block_of_shared(piece.from)) {
            copy.source = block;
            check_shared_of(copy, piece.from, int(piece.bytes), false, number);
        } else if (copy.proxy && writes_are_noted()) {
            check_written(piece.from, piece.bytes, copy.place());
        }
    }
    copy.target = block_of_shared(piece.to);
    if (copy.operation != abi::atomic_store) check_access(piece.to, int(piece.bytes), false, text);
    check_bounds(piece.to, piece.bytes, true, text);
    if (copy.operation != abi::atomic_store) return;
    check_shared_of(copy, piece.to, int(piece.bytes), true, number);
}

}  // namespace

void begin_copy(const copy_item& copy) {
    settle();
    const int number = place_number(copy->file, copy->line);
    for (const copy_piece& piece : copy->pieces) check_piece(*copy, piece, number);
    if (copy->operation == abi::atomic_store)
        for (const copy_piece& piece : copy->pieces) mark(piece, abi::shadow_copied);
    copies_under_way.push_back(copy);
    if (copy->source && copy->source != current_block) copy->source = nullptr;
    if (copy->source) async_of(*copy->source).reading.push_back(copy);
    if (copy->target) async_of(*copy->target).writing.push_back(copy);
}

void read_source(async_copy& copy) {
    if (copy.read) return;
    copy.read = true;
    for (const copy_piece& piece : copy.pieces) {
        const size_t at = copy.data.size();
        copy.data.resize(at + piece.bytes);
        if (piece.from) memcpy(copy.data.data() + at, piece.from, piece.bytes);
        for (uint32_t i = 0; copy.outside && !piece.from && i < piece.bytes; i += 4)
            memcpy(copy.data.data() + at + i, &copy.outside, 4);
    }
    if (copy.rounds) round_to_tf32(copy);
    if (copy.source && copy.source->async) remove(copy.source->async->reading, &copy);
    copy.source = nullptr;
}

void carry_out(const copy_item& copy, int writer, uint32_t step) {
    for (const copy_item& part : copy->parts) carry_out(part, writer, step);
    if (copy->done) return;
    read_source(*copy);
    copy->done = true;
    const int number = place_number(copy->file, copy->line);
    const unsigned char* data = copy->data.data();
    for (const copy_piece& piece : copy->pieces) {
        if (copy->operation == abi::atomic_store)
            memcpy(piece.to, data, piece.bytes);
        else
            reduce(piece.to, data, piece.bytes, copy->operation, copy->type);
        mark(piece, abi::shadow_initialized);
        if (!copy->target && writes_are_noted()) forget_written(piece.to, piece.bytes);
        if (copy->target)
            note_copied(*copy->target, piece.to, int(piece.bytes), writer, step, number);
        data += piece.bytes;
    }
    copy->data = {};
    remove(copies_under_way, copy.get());
    if (copy->target && copy->target->async) remove(copy->target->async->writing, copy.get());
    memory_changed = true;
}

void check_copied_from(const thread_block& block, const void* p, int size,
                       const std::string& place) {
    const async_copy* copy = find_copy(block.async->reading, [=](const copy_piece& piece) {
        return piece.from && overlap(p, size, piece.from, piece.bytes);
    });
    if (copy)
        fault(cudaErrorLaunchFailure, place,
              "writes shared memory that an asynchronous copy still reads, which began at " +
                  copy->place() + ": wait until it has read first");
}

void check_copied_to(const void* p, size_t size, bool write, const std::string& place) {
    const async_copy* copy = find_copy(copies_under_way, [=](const copy_piece& piece) {
        return overlap(p, size, piece.to, piece.bytes);
    });
    if (copy)
        fault(cudaErrorLaunchFailure, place,
              std::string(write ? "writes" : "reads") +
                  (block_of_shared(p) ? " shared" : " device") +
                  " memory that an asynchronous copy still writes, which began at " +
                  copy->place() + ": wait for it first");
}

std::string end_async(thread_block& block, bool failed) {
    async_state& state = *block.async;
    std::string text;
    const auto drop = [](const copy_item& copy) {
        for (const copy_piece& piece : copy->pieces)
            if (copy->operation == abi::atomic_store) mark(piece, abi::shadow_initialized);
        remove(copies_under_way, copy.get());
        copy->done = copy->read = true;
        copy->source = copy->target = nullptr;
    };
    if (failed) {
        for (const copy_item& copy : std::deque(copies_under_way)) drop(copy);
    } else {
        for (int thread = 0; thread < int(state.copies.size()); ++thread) {
            thread_copies& own = state.copies[thread];
            own.groups.push_back(own.open);
            for (const auto& group : own.groups)
                for (const copy_item& copy : group) carry_out(copy, thread, 0);
        }
        for (const auto& [address, barrier] : state.barriers)
            if (barrier->bytes < 0)
                text = "ends though copies brought " + count_text(-barrier->bytes, "byte") +
                       " too many to the barrier initialized at " + barrier->place();
        if (!state.writing.empty())
            text =
                "ends while an asynchronous copy still writes its shared memory, which began "
                "at " +
                state.writing.front()->place() + ": wait for it first";
        if (!state.reading.empty())
            text =
                "ends while an asynchronous copy still reads its shared memory, which began "
                "at " +
                state.reading.front()->place() + ": wait until it has read first";
        for (thread_copies& own : state.copies)
            for (const auto& group : own.bulk_groups)
                for (const copy_item& copy : group)
                    if (copy->read) carry_out(copy, 0, 0);
        for (const auto* left : {&state.writing, &state.reading})
            for (const copy_item& copy : std::deque(*left)) drop(copy);
    }
    block.async = nullptr;
    return text;
}

}  // namespace emulator

using namespace emulator;

extern "C" {

void __emu_copy_async(void* to, const void* from, size_t bytes, size_t zeros, const char* file,
                      int line) {
    const auto copy = std::make_shared<async_copy>();
    auto* target = static_cast<unsigned char*>(to);
    const uint32_t read = uint32_t(bytes - std::min(zeros, bytes));
    if (read) copy->pieces.push_back({target, static_cast<const unsigned char*>(from), read});
    if (zeros) copy->pieces.push_back({target + read, nullptr, uint32_t(bytes - read)});
    copy->proxy = false;
    copy->file = file;
    copy->line = line;
    async_state& state = async_of(*current_block);
    begin_copy(copy);
    if (block_of_shared(to) && !block_of_shared(from))
        state.copies[current_thread].open.push_back(copy);
    else  // only such are asynchronous
        carry_out(copy, current_thread, step_of(*current_block, current_thread));
}

void __emu_copy_commit() {
    thread_copies& own = async_of(*current_block).copies[current_thread];
    own.groups.push_back(std::move(own.open));
    own.open.clear();
}

void __emu_copy_wait(unsigned prior) {
    thread_copies& own = async_of(*current_block).copies[current_thread];
    settle();
    for (; own.groups.size() > prior; own.groups.pop_front())
        for (const copy_item& copy : own.groups.front())
            carry_out(copy, current_thread, step_of(*current_block, current_thread));
}

void __emu_copy_arrive_on(void* address, int counted, const char* file, int line) {
    const auto barrier = barrier_at(address, file, line);
    thread_copies& own = async_of(*current_block).copies[current_thread];
    const auto all = std::make_shared<async_copy>();
    const auto take = [&](const std::vector<copy_item>& group) {
        for (const copy_item& copy : group)
            if (!copy->done) all->parts.push_back(copy);
    };
    std::for_each(own.groups.begin(), own.groups.end(), take);
    take(own.open);
    if (!counted && barrier->pending <= barrier->attached)
        fault(cudaErrorLaunchFailure, place_text(file, line),
              "lets copies arrive at a barrier whose phase expects no more arrivals");
    all->file = file;
    all->line = line;
    all->phase = barrier->phase;
    ++barrier->attached;
    if (counted) ++barrier->pending;
    barrier->copies.push_back(all);
}

}  // extern "C"
