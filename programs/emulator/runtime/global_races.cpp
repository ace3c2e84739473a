#include "global_races.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "async_state.hpp"
#include "faults.hpp"
#include "host_uses.hpp"
#include "memory.hpp"
#include "races.hpp"
#include "running_launch.hpp"
#include "streams.hpp"

namespace emulator {

namespace {

// Who used a word, when by its block's barriers, and where in the source.
struct use {
    uint32_t block = 0, epoch = 0, warp_epoch = 0, step = 0;
    uint16_t thread = 0;
    uint8_t bytes = 0;  // a bit for each of the word's bytes; none: no use
    int place = 0;
};
struct global_word {
    uintptr_t word = 0;   // its address / 4
    uint32_t launch = 0;  // which it is about
    use writer, reader, other_reader;  // the last ones; the other one is of another block
};

// A table with open addressing, which grows: about as many words as a launch touches.
class word_table {
public:
    global_word& of(uintptr_t word, uint32_t launch) {
        if (count_ * 2 >= words_.size()) grow();
        global_word& found = *place(words_, word);
        if (found.word != word) {
            ++count_;
            found.word = word;
            found.launch = 0;
        }
        if (found.launch != launch) found = global_word{word, launch, {}, {}, {}};
        return found;
    }

private:
    static global_word* place(std::vector<global_word>& words, uintptr_t word) {
        size_t at = size_t(word * uintptr_t(0x9e3779b1U)) >> 7 & (words.size() - 1);
        while (words[at].word && words[at].word != word) at = (at + 1) & (words.size() - 1);
        return &words[at];
    }
    void grow() {
        std::vector<global_word> larger(std::max<size_t>(256, words_.size() * 2));
        for (const global_word& each : words_)
            if (each.word) *place(larger, each.word) = each;
        words_ = std::move(larger);
    }

    std::vector<global_word> words_;
    size_t count_ = 0;
};

word_table table;

// Blocks of a cooperative grid or a cluster have barriers of their own.
bool blocks_are_apart() {
    return !current_launch->cooperative && current_running->per_cluster() == 1;
}

bool meets(const use& other, uint8_t bytes) {
    const thread_block& block = *current_block;
    if (!(other.bytes & bytes)) return false;
    if (other.block != block.number) return blocks_are_apart();
    return at_once(block, current_thread, other.thread, other.epoch, other.warp_epoch, other.step);
}

[[noreturn]] void race_in_global(bool write, int place, const race_partner& other) {
    const bool elsewhere = other.block != current_block->number;
    const std::string where = place_name(other.place);
    fault(cudaErrorLaunchFailure, place_name(place),
          std::string("a race: ") + (write ? "writes" : "reads") + " global memory that thread " +
              triple(index_in(uint64_t(other.thread), current_launch->block)) +
              (elsewhere ? " of block " + triple(current_running->index_of(other.block)) : "") +
              (other.wrote ? " wrote" : " read") + (where.empty() ? "" : " at " + where) +
              (elsewhere ? ", and nothing orders the two" : ", with no barrier between"));
}

void differ(int place, const race_partner& other) { race_in_global(true, place, other); }

// One instruction of a warp may write to one word from several lanes: one of the values remains.
bool by_one_instruction(const use& other, int place) {
    return other.block == current_block->number && other.place == place &&
           warp_of(other.thread) == warp_of(current_thread);
}

void look(global_word& word, const void* p, int size, uint8_t bytes, bool write, int place) {
    if (meets(word.writer, bytes)) {
        const race_partner other{word.writer.thread, true, word.writer.place, word.writer.block};
        if (!write) race_in_global(write, place, other);
        if (!by_one_instruction(word.writer, place))
            remember_write(p, size, place, other, differ);  // the same value from both does no harm
    }
    if (!write) return;
    for (const use& reader : {word.reader, word.other_reader})
        if (meets(reader, bytes))
            race_in_global(write, place, {reader.thread, false, reader.place, reader.block});
}

// The host did not wait for the kernel before it used the memory.
void check_host(const void* p, size_t bytes, bool write, int place) {
    const std::optional<host_use> other = host_use_after(host_uses_before, p, bytes, write);
    if (!other) return;
    fault(cudaErrorLaunchFailure, place_name(place),
          std::string("a race: ") + (write ? "writes" : "reads") + " memory that the host " +
              (other->wrote ? "wrote" : "read") +
              (other->place.empty() ? "" : " at " + other->place) +
              " before it waited for the kernel");
}

void note(global_word& word, uint8_t bytes, bool write, int place) {
    const thread_block& block = *current_block;
    const use now{block.number,
                  block.epoch,
                  block.warp_epochs[warp_of(current_thread)],
                  step_of(block, current_thread),
                  uint16_t(current_thread),
                  bytes,
                  place};
    if (write) {
        word.writer = now;
        return;
    }
    if (word.reader.bytes && word.reader.block != block.number) word.other_reader = word.reader;
    word.reader = now;
}

bool holds_watched(const void* p, size_t bytes) {
    if (!in_arena(p)) return false;
    const unsigned char* states = states_to_read(p);
    return std::any_of(states, states + bytes,
                       [](unsigned char state) { return state & abi::shadow_watched; });
}

}  // namespace

void check_global(const void* p, size_t bytes, bool write, int place) {
    if (current_running->ordered_by_program || !current_block->races_checked ||
        !holds_watched(p, bytes))
        return;
    const uintptr_t begin = uintptr_t(p), end = begin + bytes;
    for (uintptr_t at = begin & ~uintptr_t(3); at < end; at += 4) {
        const uintptr_t first = std::max(at, begin), last = std::min(at + 4, end);
        if (!(*states_to_read(reinterpret_cast<const void*>(first)) & abi::shadow_watched))
            continue;
        check_host(reinterpret_cast<const void*>(first), last - first, write, place);
        const auto mask = uint8_t((0xfU >> (4 - (last - first))) << (first - at));
        global_word& word = table.of(at / 4, current_running->serial);
        look(word, reinterpret_cast<const void*>(first), int(last - first), mask, write, place);
        note(word, mask, write, place);
    }
}

void check_global_atomic(const void* p, size_t bytes, bool write, const char* file, int line) {
    if (!current_running->ordered_by_program && holds_watched(p, bytes) &&
        host_use_after(host_uses_before, p, bytes, write))
        check_host(p, bytes, write, place_number(file, line));
}

void order_by_program() {
    current_running->ordered_by_program = true;
    forget_host_uses();  // it may order what the host does, too
}

}  // namespace emulator
