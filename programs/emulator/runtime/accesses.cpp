#include "accesses.hpp"

#include <algorithm>
#include <cstring>

#include "async_state.hpp"
#include "faults.hpp"
#include "fiber.hpp"
#include "global_races.hpp"
#include "global_writes.hpp"
#include "memory.hpp"
#include "races.hpp"
#include "running_launch.hpp"
#include "texture_writes.hpp"
#include "variables.hpp"
#include "virtual_memory.hpp"
#include "waiting.hpp"

namespace emulator {

namespace {

constexpr size_t guard =
    abi::variable_guard_bytes / 2;  // about the half of what the rewriter puts between variables

std::string bytes_text(int count) {
    return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

// Whether threads of the block have still to come to where this one waited last.
bool others_are_behind() {
    for (const device_thread& thread : current_block->threads)
        if (&thread != &self() && (thread.state == fresh || thread.state == ready)) return true;
    return false;
}

constexpr uintptr_t farthest_before = 4096;  // of the next allocation, to be told with it

// The allocation that begins less than this after an address, if there is one.
const memory_allocation* nearer_after(uintptr_t at, uintptr_t distance) {
    const uintptr_t limit = std::min(distance, farthest_before);
    for (uintptr_t next = (at | 255) + 1; next - at < limit; next += 256)
        if (const memory_allocation* found = find_allocation(reinterpret_cast<void*>(next)))
            return found->freed || found->absent ? nullptr : found;
    return nullptr;
}

std::string text_before(uintptr_t at, const memory_allocation& next) {
    return bytes_text(int(next.begin - at)) + " before an allocation of " +
           std::to_string(next.bytes) + " bytes";
}

// `wrong`: the first byte that may not be accessed.
[[noreturn]] void bad_address(const void* p, int size, bool write, const std::string& place,
                              const void* wrong) {
    const std::string what = (write ? "writes " : "reads ") + bytes_text(size) + " ";
    if (p == nullptr || uintptr_t(p) < 4096)
        fault(cudaErrorIllegalAddress, place, what + "through a null pointer");
    if (thread_block* block = block_of_shared(p);
        block ||
        (in_arena(p) && block_of_shared(reinterpret_cast<const void*>(uintptr_t(p) - 256))))
        fault(cudaErrorIllegalAddress, place, what + "outside of the block's shared variables");
    if (const std::string reason = reason_of_fault(wrong, write); !reason.empty())
        fault(cudaErrorIllegalAddress, place, what + reason);
    // The nearest allocation at or before the address tells most.
    for (uintptr_t back = 0; in_arena(p) && back <= 1 << 20; back += 256) {
        const memory_allocation* near = find_allocation(
            reinterpret_cast<const void*>((uintptr_t(p) & ~uintptr_t(255)) - back), true);
        if (!near) continue;
        const uintptr_t offset = uintptr_t(p) - near->begin;
        if (near->freed && offset < near->bytes)
            fault(cudaErrorIllegalAddress, place, what + "of memory that was freed");
        if (near->absent && offset < near->bytes)
            fault(cudaErrorIllegalAddress, place,
                  what +
                      "of memory that is not there at this point of the stream's order: it was "
                      "freed, or is allocated later");
        if (near->freed) break;
        if (const memory_allocation* next = nearer_after(uintptr_t(p), offset - near->bytes))
            fault(cudaErrorIllegalAddress, place, what + text_before(uintptr_t(p), *next));
        fault(cudaErrorIllegalAddress, place,
              what + "at offset " + std::to_string(offset) + " of an allocation of " +
                  std::to_string(near->bytes) + " bytes");
    }
    if (const memory_allocation* next = nearer_after(uintptr_t(p), farthest_before))
        fault(cudaErrorIllegalAddress, place, what + text_before(uintptr_t(p), *next));
    if (const variable_entry* near = find_variable(p, guard)) {
        const intptr_t offset = static_cast<const char*>(p) - static_cast<const char*>(near->place);
        fault(cudaErrorIllegalAddress, place,
              what + "at offset " + std::to_string(offset) + " of a variable of " +
                  bytes_text(int(near->bytes())));
    }
    if (in_fiber_stack(p))
        fault(cudaErrorIllegalAddress, place, what + "of another thread's local memory");
    if (was_reserved(p))
        fault(cudaErrorIllegalAddress, place, what + "of addresses that were freed");
    fault(
        cudaErrorIllegalAddress, place,
        what + (in_arena(p) ? "where nothing is allocated" : "of memory that is not the device's"));
}

// A large write, in parts that can be settled one after another.
template <class F>
void write_shared(void* to, size_t bytes, int place, F&& write) {
    constexpr size_t part = sizeof unsettled_write::before;
    for (size_t at = 0; at < bytes; at += part) {
        const size_t count = std::min(part, bytes - at);
        check_shared(static_cast<char*>(to) + at, int(count), true, place);
        write(at, count);
        settle();
    }
}

void note_of_global(const void* to, size_t bytes, int place) {
    if (textures_over_memory) note_write_under_texture(to, bytes);
    if (writes_are_noted() && in_arena(to) && !block_of_shared(to)) note_written(to, bytes, place);
}

void check_alignment(const void* p, int size, bool write, int place) {
    if ((uintptr_t(p) & uintptr_t(size - 1)) != 0 && in_arena(p))
        fault(cudaErrorMisalignedAddress, __emu_places[place],
              (write ? "writes " : "reads ") + bytes_text(size) +
                  " at an address that is no multiple of it");
}

}  // namespace

void check_bounds(const void* p, size_t size, bool write,
                  const std::function<std::string()>& place) {
    if (in_arena(p)) {
        const unsigned char* shadow = write ? shadow_of(p) : states_to_read(p);
        for (size_t i = 0; i < size; ++i)
            if (shadow[i] == abi::shadow_not_allocated)
                bad_address(p, int(size), write, place(), static_cast<const char*>(p) + i);
        if (!copies_under_way.empty() && any_is(shadow, size, abi::shadow_copied))
            check_copied_to(p, size, write, place());
    } else if (!in_own_stack(p) && !in_image(p, size) && !find_allocation(p)) {
        bad_address(p, int(size), write, place(), p);
    }
}

void check_access(const void* p, int size, bool write, const std::function<std::string()>& place) {
    check_bounds(p, size, write, place);
    if (!in_arena(p)) return;
    if (write) return mark_initialized(const_cast<void*>(p), size_t(size));
    const unsigned char* states = states_to_read(p);
    for (int i = 0; i < size; ++i) {
        if (state_of(states[i]) == abi::shadow_uninitialized)
            fault(cudaErrorLaunchFailure, place(),
                  block_of_shared(p)
                      ? std::string("reads shared memory that no thread has written yet") +
                            (others_are_behind()
                                 ? ": if another thread is to write it, __syncthreads() or "
                                   "__syncwarp() has to stand between its write and this read"
                                 : "")
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

static bool all_initialized(const unsigned char* shadow, int size) {
    switch (size) {
        case 1: return *shadow == abi::shadow_initialized;
        case 2: return all_are<uint16_t>(shadow, abi::shadow_initialized);
        case 4: return all_are<uint32_t>(shadow, abi::shadow_initialized);
        case 8: return all_are<uint64_t>(shadow, abi::shadow_initialized);
        default: return false;
    }
}

void tell_access(const void* p, size_t size, trace_kind kind, int place) {
    if (traced(*current_block)) trace_access(p, size, kind, place, block_of_shared(p));
}

}  // namespace emulator

using namespace emulator;

// `code`: 0 read, 1 write, 2 volatile read, 3 volatile write; + 4 where the compiler knows of no
// alignment; + 8 where it may read padding, too; + 16 where it reads a bit-field's neighbors in
// order to write them back.
extern "C" void __emu_access(const void* p, int size, int code, int place) {
    settle();
    const bool write = code & abi::access_write;
    if (write && code & abi::access_volatile) memory_changed = true;
    if (!(code & abi::access_unaligned)) check_alignment(p, size, write, place);
    const auto text = [=] { return std::string(__emu_places[place]); };
    if (!in_arena(p) || !all_initialized(shadow_of(p), size)) {
        const bool some = in_arena(p) && any_is(states_to_read(p), size, abi::shadow_initialized);
        if (code & abi::access_bit_field || (code & abi::access_padded && some))
            check_bounds(p, size, write, text);
        else
            check_access(p, size, write, text);
    }
    if (uintptr_t(p) - __emu_shared_low < __emu_shared_high - __emu_shared_low) {
        if (code & abi::access_volatile)
            current_block->races_across_warps_checked = false;  // flags of the program's own
        check_shared(p, size, write, place);
    } else if (code & abi::access_volatile) {
        order_by_program();
    } else if (!(code & abi::access_bit_field)) {
        check_global(p, size_t(size), write, place);
    }
    if (write) note_of_global(p, size_t(size), place);
    tell_access(p, size_t(size), write ? trace_kind::write : trace_kind::read, place);
}

// Follows the check of each read of volatile memory.
extern "C" void __emu_look() { spin(); }

// In front of a division; a GPU goes on with some number.
extern "C" void __emu_divisor(bool zero, int place) {
    if (zero) fault(cudaErrorLaunchFailure, __emu_places[place], "divides by zero");
}

extern "C" void __emu_local(const void* p, const void* array, size_t all, size_t bytes, int write,
                            int place) {
    const auto offset = static_cast<const char*>(p) - static_cast<const char*>(array);
    if (offset >= 0 && size_t(offset) + bytes <= all) return;
    fault(cudaErrorIllegalAddress, __emu_places[place],
          (write ? "writes " : "reads ") + bytes_text(int(bytes)) + " at offset " +
              std::to_string(offset) + " of a local array of " + bytes_text(int(all)));
}

// In front of a copy whose type wants its address to be a multiple of `bytes`.
extern "C" void __emu_aligned(const void* p, int bytes, int write, int place) {
    check_alignment(p, bytes, write, place);
}

// A structure may have padding that was never written: what was written of it stays written, and no
// more.
extern "C" void* __emu_copy(void* to, const void* from, size_t bytes, int place) {
    const auto text = [=] { return std::string(__emu_places[place]); };
    settle();
    check_bounds(from, bytes, false, text);
    if (bytes && in_arena(from) && !any_is(states_to_read(from), bytes, abi::shadow_initialized))
        check_access(from, 1, false, text);
    check_access(to, int(bytes), true, text);
    copy_states(to, from, bytes);
    check_shared(from, int(bytes), false, place);
    if (!block_of_shared(from)) check_global(from, bytes, false, place);
    if (!block_of_shared(to)) check_global(to, bytes, true, place);
    note_of_global(to, bytes, place);
    tell_access(from, bytes, trace_kind::read, place);
    tell_access(to, bytes, trace_kind::write, place);
    const bool apart =
        uintptr_t(to) - uintptr_t(from) >= bytes && uintptr_t(from) - uintptr_t(to) >= bytes;
    if (!apart || !block_of_shared(to)) return memmove(to, from, bytes);
    write_shared(to, bytes, place, [=](size_t at, size_t count) {
        memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, count);
    });
    return to;
}

extern "C" void* __emu_fill(void* to, int value, size_t bytes, int place) {
    settle();
    check_access(to, int(bytes), true, [=] { return std::string(__emu_places[place]); });
    note_of_global(to, bytes, place);
    tell_access(to, bytes, trace_kind::write, place);
    if (!block_of_shared(to)) {
        check_global(to, bytes, true, place);
        return memset(to, value, bytes);
    }
    write_shared(to, bytes, place, [=](size_t at, size_t count) {
        memset(static_cast<char*>(to) + at, value, count);
    });
    return to;
}
