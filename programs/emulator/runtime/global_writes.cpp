#include "global_writes.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>

#include "arena.hpp"
#include "async_state.hpp"
#include "faults.hpp"
#include "running_launch.hpp"
#include "variables.hpp"

namespace emulator {

namespace {

constexpr size_t map_bytes = 128;

struct written_word {
    uint64_t when = 0;
    uint32_t launch = 0, block = 0, epoch = 0, step = 0;
    uint16_t thread = 0;
    uint8_t bytes = 0;  // a bit for each
    int place = 0;
};
constexpr size_t words_of_page = 1024;
struct written_page {
    written_word words[words_of_page];
};

std::unordered_map<uintptr_t, std::unique_ptr<written_page>> pages;
uint64_t now = 1;  // counts what makes writes visible, of all launches

// The last fences for global memory: of any block, and of any but that one.
struct {
    uint64_t last = 0, other = 0, by = 0;
} fences;

uint64_t running_block() { return uint64_t(current_running->serial) << 32 | current_block->number; }
uint64_t last_fence_of_others() {
    return fences.by == running_block() ? fences.other : fences.last;
}

struct map_change {
    uint32_t launch;
    uint64_t when;
};
std::map<uintptr_t, map_change> published;
uint64_t last_release = 0;

// Calls f with each word of these bytes that this launch has written, and which of its bytes are
// among them.
template <class F>
void each_written(const void* p, size_t bytes, F&& f) {
    const uintptr_t begin = uintptr_t(p), end = begin + bytes;
    for (uintptr_t word = begin / 4; word * 4 < end;) {
        const auto page = pages.find(word / words_of_page);
        if (page == pages.end()) {
            word = (word / words_of_page + 1) * words_of_page;
            continue;
        }
        const uintptr_t last = std::min((end + 3) / 4, (word / words_of_page + 1) * words_of_page);
        for (; word < last; ++word) {
            written_word& found = page->second->words[word % words_of_page];
            if (found.launch != current_running->serial) continue;
            uint8_t meant = 15;
            if (word * 4 < begin) meant &= uint8_t(15 << (begin - word * 4));
            if (word * 4 + 4 > end) meant &= uint8_t(15 >> (word * 4 + 4 - end));
            if (found.bytes & meant) f(found, meant);
        }
    }
}

bool is_visible(const written_word& word) {
    const thread_block& block = *current_block;
    if (word.block != block.number || !block.races_checked) return fences.last > word.when;
    return is_fenced(block, current_thread, word.thread, word.epoch, word.step,
                     &proxy_fence::global) ||
           last_fence_of_others() > word.when;
}

std::string writer_text(const written_word& word) {
    const std::string where = place_name(word.place);
    return "thread " + thread_text(*current_block, word.thread) +
           (word.block == current_block->number
                ? ""
                : " of block " + triple(current_running->index_of(word.block))) +
           " wrote" + (where.empty() ? "" : " at " + where);
}

}  // namespace

void note_written(const void* p, size_t bytes, int place) {
    const uintptr_t begin = uintptr_t(p), end = begin + bytes;
    static uintptr_t last_number;
    static written_page* last_page;
    if (pages.empty()) last_page = nullptr;
    written_word made;
    made.when = now;
    made.launch = current_running->serial;
    made.block = current_block->number;
    made.epoch = current_block->epoch;
    made.step = step_of(*current_block, current_thread);
    made.thread = uint16_t(current_thread);
    made.place = place;
    for (uintptr_t word = begin / 4; word * 4 < end; ++word) {
        if (const uintptr_t number = word / words_of_page; !last_page || number != last_number) {
            std::unique_ptr<written_page>& page = pages[number];
            if (!page) page = std::make_unique<written_page>();
            last_number = number;
            last_page = page.get();
        }
        made.bytes = 15;
        if (word * 4 < begin) made.bytes &= uint8_t(15 << (begin - word * 4));
        if (word * 4 + 4 > end) made.bytes &= uint8_t(15 >> (word * 4 + 4 - end));
        last_page->words[word % words_of_page] = made;
    }
}

void forget_written(const void* p, size_t bytes) {
    each_written(p, bytes,
                 [](written_word& word, uint8_t meant) { word.bytes &= uint8_t(~meant); });
}

void forget_all_written() {
    pages.clear();
    published.clear();
}

void note_global_fence() {
    if (fences.by != running_block()) {
        fences.other = fences.last;
        fences.by = running_block();
    }
    fences.last = ++now;
}

void check_written(const void* p, size_t bytes, const std::string& place) {
    each_written(p, bytes, [&](const written_word& word, uint8_t) {
        if (is_visible(word)) return;
        fault(
            cudaErrorLaunchFailure, place,
            "an asynchronous copy reads device memory that " + writer_text(word) +
                ", with no proxy fence between: the writing thread needs fence_proxy_async before "
                "it lets others know");
    });
}

void note_map_published(const void* map) {
    forget_written(map, map_bytes);
    last_release = ++now;
    published[uintptr_t(map)] = {current_running->serial, now};
}

void note_map_released() { last_release = ++now; }

void note_map_acquired(const void* map) {
    async_of(*current_block).maps_acquired[uintptr_t(map)] = ++now;
}

void check_map_acquired(const void* map, const std::string& place) {
    const variable_entry* variable = find_variable(map);
    if (variable ? variable->constant : !in_arena(map) || block_of_shared(map)) return;
    uint64_t changed = 0;
    each_written(map, map_bytes, [&](const written_word& word, uint8_t) {
        if (word.when >= last_release)
            fault(cudaErrorLaunchFailure, place,
                  "uses a tensor map that " + writer_text(word) +
                      " and nothing has published since: tensormap_cp_fenceproxy does");
        changed = std::max(changed, word.when);
    });
    if (const auto found = published.find(uintptr_t(map));
        found != published.end() && found->second.launch == current_running->serial)
        changed = std::max(changed, found->second.when);
    const auto& acquired = async_of(*current_block).maps_acquired;
    const auto found = acquired.find(uintptr_t(map));
    if (found != acquired.end() && found->second > changed) return;
    fault(cudaErrorLaunchFailure, place,
          std::string("uses a tensor map in device memory ") +
              (found == acquired.end() ? "without a fence"
                                       : "that has changed since its last fence") +
              ": the block needs fence_proxy_tensormap_generic with sem_acquire before");
}

}  // namespace emulator
