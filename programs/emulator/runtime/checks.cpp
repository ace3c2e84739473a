// Judges every access that device code makes: its bounds, whether what it reads was ever written, and, in shared
// memory, whether another thread wrote it without a barrier between.

#include <algorithm>
#include <cstring>

#include "runtime.hpp"

namespace emulator {

namespace {

constexpr size_t guard = 30;  // about the half of what ir.py puts between variables
constexpr int volatile_bit = 2, unaligned_bit = 4, padded_bit = 8,
              field_bit = 16;  // of the codes that ir.py gives to accesses

std::string bytes_text(int count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

[[noreturn]] void bad_address(const void* p, int size, bool write, const std::string& place) {
    const std::string what = (write ? "writes " : "reads ") + bytes_text(size) + " ";
    if (p == nullptr || uintptr_t(p) < 4096) fault(cudaErrorIllegalAddress, place, what + "through a null pointer");
    if (Block* block = block_of_shared(p);
        block || (in_arena(p) && block_of_shared(reinterpret_cast<const void*>(uintptr_t(p) - 256))))
        fault(cudaErrorIllegalAddress, place, what + "outside of the block's shared variables");
    // The nearest allocation at or before the address tells most.
    for (uintptr_t back = 0; in_arena(p) && back <= 1 << 20; back += 256) {
        const Allocation* near =
            find_allocation(reinterpret_cast<const void*>((uintptr_t(p) & ~uintptr_t(255)) - back), true);
        if (!near) continue;
        const uintptr_t offset = uintptr_t(p) - near->begin;
        if (near->freed && offset < near->bytes)
            fault(cudaErrorIllegalAddress, place, what + "of memory that was freed");
        if (near->freed) break;
        fault(cudaErrorIllegalAddress, place,
              what + "at offset " + std::to_string(offset) + " of an allocation of " + std::to_string(near->bytes) +
                  " bytes");
    }
    if (const Variable* near = find_variable(p, guard)) {
        const intptr_t offset = static_cast<const char*>(p) - static_cast<const char*>(near->place);
        fault(cudaErrorIllegalAddress, place,
              what + "at offset " + std::to_string(offset) + " of a variable of " + bytes_text(int(near->bytes())));
    }
    if (in_fibre_stack(p)) fault(cudaErrorIllegalAddress, place, what + "of another thread's local memory");
    fault(cudaErrorIllegalAddress, place,
          what + (in_arena(p) ? "where nothing is allocated" : "of memory that is not the device's"));
}

bool same_warp(int a, int b) { return a >> 5 == b >> 5; }

// Whether an access by `other` with these epochs may happen at the same time as one by `me` now.
bool at_once(const Block& block, int me, int other, uint32_t epoch, uint32_t warp_epoch) {
    if (other == me || epoch != block.epoch) return false;
    return same_warp(me, other) ? warp_epoch == block.warp_epochs[me >> 5] : block.races_across_warps_checked;
}

[[noreturn]] void race(const Block& block, bool write, int other, bool other_wrote, const std::string& place,
                       int other_place) {
    const std::string who = thread_text(block, other);
    const char* where = __emu_places[other_place];
    fault(cudaErrorLaunchFailure, place,
          std::string("a race: ") + (write ? "writes" : "reads") + " shared memory that thread " + who +
              (other_wrote ? " wrote" : " read") + (*where ? std::string(" at ") + where : "") +
              ", with no barrier between");
}

// Whole words, and the bytes of all others, each remember by themselves what was done to them. Calls `own` with what
// remembers a part of an access, and `overlapping` with what remembers the same memory in the other way.
template <class F, class G>
void each_part(Block& block, size_t offset, int size, F&& own, G&& overlapping) {
    for (int at = 0; at < size;) {
        const size_t place = offset + at;
        if (place % 4 == 0 && size - at >= 4) {
            for (int i = 0; i < 4 && !block.bytes.empty(); ++i) overlapping(block.bytes[place + i], at + i, 1);
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
void meet_readers(const Block& block, const SharedWord& word, F&& place) {
    if (at_once(block, current_thread, word.reader, word.read_epoch, word.read_warp_epoch))
        race(block, true, word.reader, false, place(), word.read_place);
    if (word.several && at_once(block, current_thread, word.other_reader, word.read_epoch, word.other_warp_epoch))
        race(block, true, word.other_reader, false, place(), word.other_place);
}

// Several words of one access may be pending: they lie within 16 bytes.
void remember_write(const void* p, int size, int number, const SharedWord& word) {
    PendingWrite& pending = __emu_pending_write;
    if (!pending.to) pending = {p, {}, 0, number, 0, word.writer, word.write_place};
    const size_t offset = static_cast<const char*>(p) - static_cast<const char*>(pending.to);
    if (offset + size > sizeof pending.before) return;
    memcpy(pending.before + offset, p, size);
    pending.bytes |= ((1U << size) - 1) << offset;
    pending.size = int(offset) + size;
}

// Whether another thread did something to the same memory that has no order to this access.
void meet(const Block& block, const SharedWord& word, const void* p, int size, bool write, int number) {
    const int me = current_thread;
    if (at_once(block, me, word.writer, word.write_epoch, word.write_warp_epoch)) {
        if (!write || word.atomic) race(block, write, word.writer, true, __emu_places[number], word.write_place);
        remember_write(p, size, number, word);  // the same value from both does no harm
    }
    if (write) meet_readers(block, word, [=] { return std::string(__emu_places[number]); });
}

void note(const Block& block, SharedWord& word, bool write, int number) {
    const int me = current_thread;
    const uint32_t warp_epoch = block.warp_epochs[me >> 5];
    if (write) {
        word.write_epoch = block.epoch;
        word.write_warp_epoch = warp_epoch;
        word.writer = uint16_t(me);
        word.write_place = number;
        word.atomic = false;
        return;
    }
    if (word.read_epoch == block.epoch && word.several && word.other_reader == me) {  // the other one is kept, too
        word.other_warp_epoch = warp_epoch;
        word.other_place = number;
        return;
    }
    if (word.read_epoch == block.epoch && word.reader != me && !word.several) {
        word.several = true;
        word.other_reader = word.reader;
        word.other_warp_epoch = word.read_warp_epoch;
        word.other_place = word.read_place;
    } else if (word.read_epoch != block.epoch) {
        word.several = false;
    }
    word.read_epoch = block.epoch;
    word.read_warp_epoch = warp_epoch;
    word.reader = uint16_t(me);
    word.read_place = number;
}

void check_shared(const void* p, int size, bool write, int number) {
    Block* block = block_of_shared(p);
    if (!block || block != current_block || !block->races_checked) return;
    const auto* begin = static_cast<const unsigned char*>(p);
    const auto look = [&](const SharedWord& word, int at, int count) {
        meet(*block, word, begin + at, count, write, number);
    };
    const auto own = [&](SharedWord& word, int at, int count) {
        look(word, at, count);
        note(*block, word, write, number);
    };
    each_part(*block, begin - block->shared, size, own, look);
}

// A large write, in parts that can be settled one after another.
template <class F>
void write_shared(void* to, size_t bytes, int place, F&& write) {
    constexpr size_t part = sizeof PendingWrite::before;
    for (size_t at = 0; at < bytes; at += part) {
        const size_t count = std::min(part, bytes - at);
        check_shared(static_cast<char*>(to) + at, int(count), true, place);
        write(at, count);
        settle();
    }
}

void check_alignment(const void* p, int size, bool write, int place) {
    if ((uintptr_t(p) & uintptr_t(size - 1)) != 0 && in_arena(p))
        fault(cudaErrorMisalignedAddress, __emu_places[place],
              (write ? "writes " : "reads ") + bytes_text(size) + " at an address that is no multiple of it");
}

}  // namespace

PendingWrite __emu_pending_write;

void settle_write() {
    const PendingWrite write = __emu_pending_write;
    __emu_pending_write.to = nullptr;
    for (int i = 0; i < write.size; ++i)
        if (write.bytes >> i & 1 && static_cast<const unsigned char*>(write.to)[i] != write.before[i])
            race(*current_block, true, write.other, true, __emu_places[write.place], write.other_place);
}

void note_atomic(void* place, int size, bool ordered, const char* file, int line) {
    settle();
    Block* block = block_of_shared(place);
    if (ordered || (block && self().fenced)) current_block->races_checked = false;  // an order of the program's own
    if (!block || block != current_block || !block->races_checked) return;
    const auto text = [=] { return place_text(file, line); };
    const auto look = [&](const SharedWord& word, int, int) {
        if (!word.atomic && at_once(*block, current_thread, word.writer, word.write_epoch, word.write_warp_epoch))
            race(*block, true, word.writer, true, text(), word.write_place);
        meet_readers(*block, word, text);
    };
    const auto own = [&](SharedWord& word, int at, int count) {
        look(word, at, count);
        note(*block, word, true, 0);
        word.atomic = true;
    };
    each_part(*block, static_cast<unsigned char*>(place) - block->shared, size, own, look);
}

void check_bounds(const void* p, size_t size, bool write, const std::function<std::string()>& place) {
    if (in_arena(p)) {
        const unsigned char* shadow = shadow_of(p);
        for (size_t i = 0; i < size; ++i)
            if (shadow[i] == not_allocated) bad_address(p, int(size), write, place());
    } else if (!in_own_stack(p) && !in_image(p, size) && !find_allocation(p)) {
        bad_address(p, int(size), write, place());
    }
}

void check_access(const void* p, int size, bool write, const std::function<std::string()>& place) {
    check_bounds(p, size, write, place);
    if (!in_arena(p)) return;
    unsigned char* shadow = shadow_of(p);
    for (int i = 0; i < size; ++i) {
        if (write)
            shadow[i] = initialised;
        else if (shadow[i] == uninitialised)
            fault(cudaErrorLaunchFailure, place(),
                  block_of_shared(p) ? "reads shared memory that no thread has written yet"
                                     : "reads device memory that was never written");
    }
}

template <typename T>
static bool all_are(const unsigned char* shadow, unsigned char state) {
    T found, wanted;
    memcpy(&found, shadow, sizeof found);
    memset(&wanted, state, sizeof wanted);
    return found == wanted;
}

static bool all_initialised(const unsigned char* shadow, int size) {
    switch (size) {
        case 1: return *shadow == initialised;
        case 2: return all_are<uint16_t>(shadow, initialised);
        case 4: return all_are<uint32_t>(shadow, initialised);
        case 8: return all_are<uint64_t>(shadow, initialised);
        default: return false;
    }
}

}  // namespace emulator

using namespace emulator;

// `code`: 0 read, 1 write, 2 volatile read, 3 volatile write; + 4 where the compiler knows of no alignment; + 8 where
// it may read padding, too; + 16 where it reads a bit-field's neighbours in order to write them back.
extern "C" void __emu_access(const void* p, int size, int code, int place) {
    settle();
    const bool write = code & 1;
    if (write && code & volatile_bit) memory_changed = true;
    if (!(code & unaligned_bit)) check_alignment(p, size, write, place);
    const auto text = [=] { return std::string(__emu_places[place]); };
    if (!in_arena(p) || !all_initialised(shadow_of(p), size)) {
        const bool some = in_arena(p) && memchr(shadow_of(p), initialised, size);
        if (code & field_bit || (code & padded_bit && some))
            check_bounds(p, size, write, text);
        else
            check_access(p, size, write, text);
    }
    if (uintptr_t(p) - __emu_shared_low < __emu_shared_high - __emu_shared_low) {
        if (code & volatile_bit) current_block->races_across_warps_checked = false;  // flags of the program's own
        check_shared(p, size, write, place);
    }
}

// Behind the check of each read of volatile memory.
extern "C" void __emu_look() { spin(); }

// In front of a division; a GPU goes on with some number.
extern "C" void __emu_divisor(bool zero, int place) {
    if (zero) fault(cudaErrorLaunchFailure, __emu_places[place], "divides by zero");
}

// In front of a copy whose type wants its address to be a multiple of `bytes`.
extern "C" void __emu_aligned(const void* p, int bytes, int write, int place) {
    check_alignment(p, bytes, write, place);
}

// A structure may have padding that nobody wrote: what was written of it stays written, and no more.
extern "C" void* __emu_copy(void* to, const void* from, size_t bytes, int place) {
    const auto text = [=] { return std::string(__emu_places[place]); };
    settle();
    check_bounds(from, bytes, false, text);
    if (bytes && in_arena(from) && !memchr(shadow_of(from), initialised, bytes)) check_access(from, 1, false, text);
    check_access(to, int(bytes), true, text);
    copy_states(to, from, bytes);
    check_shared(from, int(bytes), false, place);
    const bool apart = uintptr_t(to) - uintptr_t(from) >= bytes && uintptr_t(from) - uintptr_t(to) >= bytes;
    if (!apart || !block_of_shared(to)) return memmove(to, from, bytes);
    write_shared(to, bytes, place, [=](size_t at, size_t count) {
        memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, count);
    });
    return to;
}

extern "C" void* __emu_fill(void* to, int value, size_t bytes, int place) {
    settle();
    check_access(to, int(bytes), true, [=] { return std::string(__emu_places[place]); });
    if (!block_of_shared(to)) return memset(to, value, bytes);
    write_shared(to, bytes, place, [=](size_t at, size_t count) { memset(static_cast<char*>(to) + at, value, count); });
    return to;
}
