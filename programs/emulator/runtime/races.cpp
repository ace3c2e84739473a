#include "races.hpp"

#include <cstring>
#include <string>

#include "async_state.hpp"
#include "faults.hpp"
#include "memory.hpp"
#include "running_launch.hpp"

namespace emulator {

namespace {

bool same_warp(int a, int b) { return warp_of(a) == warp_of(b); }

[[noreturn]] void race(const thread_block& block, bool write, int other, bool other_wrote,
                       const std::string& place, int other_place) {
    const bool copied = other >= no_thread;
    const std::string who = copied ? "an asynchronous copy" : "thread " + thread_text(block, other);
    const std::string where = place_name(other_place);
    fault(
        cudaErrorLaunchFailure, place,
        std::string("a race: ") + (write ? "writes" : "reads") + " shared memory that " + who +
            (other_wrote ? " wrote" : " read") + (where.empty() ? "" : " at " + where) +
            (copied ? ", without a wait at the barrier of the copy" : ", with no barrier between"));
}

void differ(int place, const race_partner& other) {
    race(*current_block, true, other.thread, true, place_name(place), other.place);
}

// Whole words, and the bytes of all others, each remember by themselves what was done to them.
// Calls `own` with what remembers a part of an access, and `overlapping` with what remembers the
// same memory in the other way.
template <class F, class G>
void each_part(thread_block& block, size_t offset, int size, F&& own, G&& overlapping) {
    for (int at = 0; at < size;) {
        const size_t place = offset + at;
        if (place % 4 == 0 && size - at >= 4) {
            for (int i = 0; i < 4 && !block.bytes.empty(); ++i)
                overlapping(block.bytes[place + i], at + i, 1);
            own(block.words[place / 4], at, 4);
            at += 4;
        } else {
            if (block.bytes.empty()) block.bytes.resize(block.shared_bytes);
            overlapping(block.words[place / 4], at, 1);
            own(block.bytes[place], at, 1);
            at += 1;
        }
    }
}

template <class F>
void meet_readers(const thread_block& block, const shared_word& word, F&& place) {
    if (at_once(block, current_thread, word.reader, word.read_epoch, word.read_warp_epoch,
                word.read_step))
        race(block, true, word.reader, false, place(), word.read_place);
    if (word.several && at_once(block, current_thread, word.other_reader, word.read_epoch,
                                word.other_warp_epoch, word.other_step))
        race(block, true, word.other_reader, false, place(), word.other_place);
}

// Whether another thread did something to the same memory that has no order to this access.
void meet(const thread_block& block, const shared_word& word, const void* p, int size, bool write,
          int number) {
    const int me = current_thread;
    if (at_once(block, me, word.writer, word.write_epoch, word.write_warp_epoch, word.write_step)) {
        if (!write || word.atomic || word.writer >= no_thread || number < 0)
            race(block, write, word.writer, true, place_name(number), word.write_place);
        remember_write(p, size, number, {word.writer, true, word.write_place},
                       differ);  // the same value from both does no harm
    }
    if (write) meet_readers(block, word, [=] { return place_name(number); });
}

void note(const thread_block& block, shared_word& word, bool write, int number) {
    const int me = current_thread;
    const uint32_t warp_epoch = block.warp_epochs[warp_of(me)], step = step_of(block, me);
    if (write) {
        word.write_step = step;
        word.write_epoch = block.epoch;
        word.write_warp_epoch = warp_epoch;
        word.writer = uint16_t(me);
        word.write_place = number;
        word.atomic = false;
        return;
    }
    if (word.read_epoch == block.epoch && word.several &&
        word.other_reader == me) {  // the other one is kept, too
        word.other_warp_epoch = warp_epoch;
        word.other_step = step;
        word.other_place = number;
        return;
    }
    if (word.read_epoch == block.epoch && word.reader != me && !word.several) {
        word.several = true;
        word.other_reader = word.reader;
        word.other_warp_epoch = word.read_warp_epoch;
        word.other_step = word.read_step;
        word.other_place = word.read_place;
    } else if (word.read_epoch != block.epoch) {
        word.several = false;
    }
    word.read_epoch = block.epoch;
    word.read_warp_epoch = warp_epoch;
    word.read_step = step;
    word.reader = uint16_t(me);
    word.read_place = number;
}

}  // namespace

bool at_once(const thread_block& block, int me, int other, uint32_t epoch, uint32_t warp_epoch,
             uint32_t step) {
    if (other == me || epoch != block.epoch || knows(block, me, other, step)) return false;
    return other < no_thread && same_warp(me, other) ? warp_epoch == block.warp_epochs[warp_of(me)]
                                                     : block.races_across_warps_checked;
}

// Several words of one access may be pending: they lie within 16 bytes.
void remember_write(const void* p, int size, int number, const race_partner& other,
                    void (*differs)(int place, const race_partner& other)) {
    unsettled_write& pending = __emu_pending_write;
    if (!pending.to) pending = {p, {}, 0, number, 0, other, differs};
    const size_t offset = static_cast<const char*>(p) - static_cast<const char*>(pending.to);
    if (offset + size > sizeof pending.before) return;
    memcpy(pending.before + offset, p, size);
    pending.bytes |= ((1U << size) - 1) << offset;
    pending.size = int(offset) + size;
}

void check_shared(const void* p, int size, bool write, int number) {
    thread_block* block = block_of_shared(p);
    // What a kernel has launched has no business in the blocks of other grids.
    if (!block && current_launch->by_kernel && in_arena(p) && !find_allocation(p))
        fault(
            cudaErrorIllegalAddress, place_name(number),
            std::string(write ? "writes" : "reads") + " shared memory of a block of another grid");
    if (!block || block != current_block || !block->races_checked) return;
    const auto* begin = static_cast<const unsigned char*>(p);
    const auto look = [&](const shared_word& word, int at, int count) {
        meet(*block, word, begin + at, count, write, number);
    };
    const auto own = [&](shared_word& word, int at, int count) {
        look(word, at, count);
        note(*block, word, write, number);
    };
    if (write && block->async && !block->async->reading.empty())
        check_copied_from(*block, begin, size, place_name(number));
    each_part(*block, begin - block->shared, size, own, look);
}

std::string unfenced_write(const void* p, int size, bool write) {
    thread_block& block = *current_block;
    std::string text;
    const auto look = [&](const shared_word& word, int, int) {
        if (!text.empty() || !block.races_checked ||
            is_fenced(block, current_thread, word.writer, word.write_epoch, word.write_step))
            return;
        const std::string where = place_name(word.write_place);
        text =
            std::string("an asynchronous copy ") + (write ? "writes" : "reads") +
            " shared memory that thread " + thread_text(block, word.writer) + " wrote" +
            (where.empty() ? "" : " at " + where) +
            ", with no proxy fence between: the writing thread needs fence_proxy_async before the "
            "barrier";
    };
    each_part(block, static_cast<const unsigned char*>(p) - block.shared, size, look, look);
    return text;
}

void note_copied(thread_block& block, const void* p, int size, int writer, uint32_t step,
                 int number) {
    const auto own = [&](shared_word& word, int, int) {
        word.write_epoch = block.epoch;
        word.write_warp_epoch = writer < no_thread ? block.warp_epochs[warp_of(writer)] : 0;
        word.write_step = step;
        word.writer = uint16_t(writer);
        word.write_place = number;
        word.atomic = false;
    };
    each_part(block, static_cast<const unsigned char*>(p) - block.shared, size, own,
              [](const shared_word&, int, int) {});
}

void settle_write() {
    const unsettled_write write = __emu_pending_write;
    __emu_pending_write.to = nullptr;
    for (int i = 0; i < write.size; ++i)
        if (write.bytes >> i & 1 &&
            static_cast<const unsigned char*>(write.to)[i] != write.before[i])
            write.differs(write.place, write.other);
}

void note_atomic(void* place, int size, bool ordered, const char* file, int line) {
    settle();
    thread_block* block = block_of_shared(place);
    if (ordered || (block && self().fenced))
        current_block->races_checked = false;  // an order of the program's own
    if (!block || block != current_block || !block->races_checked) return;
    const auto text = [=] { return place_text(file, line); };
    const auto look = [&](const shared_word& word, int, int) {
        if (!word.atomic && at_once(*block, current_thread, word.writer, word.write_epoch,
                                    word.write_warp_epoch, word.write_step))
            race(*block, true, word.writer, true, text(), word.write_place);
        meet_readers(*block, word, text);
    };
    const auto own = [&](shared_word& word, int at, int count) {
        look(word, at, count);
        // What this thread has just written plainly still meets the others' atomic operations.
        if (!word.atomic && word.writer == current_thread && word.write_epoch == block->epoch &&
            word.write_warp_epoch == block->warp_epochs[warp_of(current_thread)])
            return;
        note(*block, word, true, 0);
        word.atomic = true;
    };
    each_part(*block, static_cast<unsigned char*>(place) - block->shared, size, own, look);
}

}  // namespace emulator
