#include "host_uses.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "host_functions.hpp"
#include "memory.hpp"
#include "memory_sides.hpp"
#include "turnstile.hpp"

namespace emulator {

std::atomic<bool> work_is_pending;

namespace {

struct word_uses {
    struct use {
        uint64_t number = 0;  // none
        uint8_t bytes = 0;  // a bit for each of the word's
        int place = 0;
    } read, write;
};

constexpr size_t most_words = 1 << 16;
std::map<uintptr_t, word_uses> words;  // by address / 4
uint64_t uses;

uint8_t bytes_of(uintptr_t word, uintptr_t begin, uintptr_t end) {
    uint8_t mask = 0;
    for (unsigned i = 0; i < 4; ++i)
        if (word * 4 + i >= begin && word * 4 + i < end) mask |= uint8_t(1U << i);
    return mask;
}

void note(const void* p, size_t bytes, bool write, int place) {
    ++uses;
    const uintptr_t begin = uintptr_t(p), end = begin + bytes;
    for (uintptr_t word = begin / 4; word * 4 < end && words.size() < most_words; ++word) {
        word_uses& all = words[word];
        word_uses::use& one = write ? all.write : all.read;
        one = {uses, uint8_t(one.bytes | bytes_of(word, begin, end)), place};
    }
    unsigned char* states = shadow_of(p);
    for (size_t i = 0; i < bytes; ++i)
        if (states[i] != abi::shadow_not_allocated) states[i] |= abi::shadow_watched;
}

[[noreturn]] void refuse_device_memory(bool write, int place) {
    fflush(stdout);
    fprintf(stderr,
            "emulator: the host %s device memory%s%s: only kernels and copies can reach it\n",
            write ? "writes" : "reads", *__emu_host_places[place] ? " at " : "",
            __emu_host_places[place]);
    _Exit(EXIT_FAILURE);
}

}  // namespace

uint64_t host_uses_so_far() { return uses; }

std::optional<host_use> host_use_after(uint64_t number, const void* p, size_t bytes, bool write) {
    const uintptr_t begin = uintptr_t(p), end = begin + bytes;
    for (auto at = words.lower_bound(begin / 4); at != words.end() && at->first * 4 < end; ++at) {
        const uint8_t mask = bytes_of(at->first, begin, end);
        const auto& [read, wrote] = at->second;
        if (wrote.number > number && wrote.bytes & mask)
            return host_use{true, __emu_host_places[wrote.place]};
        if (write && read.number > number && read.bytes & mask)
            return host_use{false, __emu_host_places[read.place]};
    }
    return std::nullopt;
}

bool host_uses_noted() { return !words.empty(); }

void forget_host_uses() { words.clear(); }

}  // namespace emulator

using namespace emulator;

// `code`: 0 read, 1 write.
extern "C" void __emu_host_access(const void* p, size_t bytes, int code, int place) {
    // Where the host looked last, and when: allocations that are still there need no second look.
    thread_local uintptr_t known_begin, known_end;
    thread_local unsigned known_at;
    if (!in_arena(p)) return;
    const bool pending = work_is_pending.load(std::memory_order_relaxed);
    const unsigned now = releases.load(std::memory_order_relaxed);
    if (!pending && now == known_at && uintptr_t(p) >= known_begin && uintptr_t(p) < known_end)
        return;
    const std::unique_lock<turnstile> inside(entrance, std::try_to_lock);
    if (!inside) return;  // another thread's work: the two are not compared
    const memory_allocation* allocation = host_allocation(p);
    if (!allocation) return;
    const bool write = code & abi::access_write;
    if (allocation->kind == device_memory) refuse_device_memory(write, place);
    known_begin = allocation->begin;
    known_end = allocation->begin + allocation->bytes;
    known_at = now;
    if (pending && !in_host_function())
        note(p, std::min<size_t>(bytes, known_end - uintptr_t(p)), write, place);
}
