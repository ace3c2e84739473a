// Tells the page how a block goes through its kernel, line by line: the records that
// docs/_ext/lockstep_sphinx/emulator/trace.js reads. They go to file descriptor 3. Only programs
// that were built for it (__emu_stepping) hold this file.

#include "trace.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <utility>

#include "arena.hpp"
#include "shared_memory.hpp"
#include "value_lists.hpp"

namespace emulator {

namespace {

constexpr unsigned most_blocks = 4;  // of a launch
constexpr size_t enough_steps = 4000;  // of all blocks: no other is traced after so many
constexpr size_t most_steps = 2000;    // of a block
constexpr size_t most_bytes = 4 << 20;  // of all records
constexpr size_t most_accesses = 256;  // of a block in a step
constexpr size_t most_values = 4096;  // of an array
constexpr size_t flush_bytes = 32768;

std::string records;
size_t steps_told, bytes_told;
bool program_told;

struct shown_array {
    std::string name, kind, extents;
    size_t offset, gpu_offset;  // in the block's shared memory, here and on a GPU
    size_t bytes, element;
    size_t value() const { return kind == "x" ? 4 : size_t(kind[1] - '0'); }
    size_t values() const { return std::min(bytes / value(), most_values); }
};

// One access of a warp: what its lanes did at one place in the same round.
struct warp_access {
    int warp, place, round;
    trace_kind kind;
    size_t size;
    int array;  // or what one of the following says
    std::array<uint64_t, warp_size> at;
    uint32_t lanes = 0;
};
constexpr int of_global_memory = -1, of_shared_memory = -2;

// What a block has done since its last step.
struct block_trace {
    const std::vector<shown_array>* arrays;
    std::map<int, std::map<int, uint64_t>> assigned;  // by variable and thread
    std::vector<warp_access> accesses;
    std::map<std::pair<int, int>, int> rounds;  // by thread and place
    size_t steps = 0;
    std::vector<std::vector<unsigned char>> told;  // the bytes of each array
    std::vector<std::vector<bool>> known;  // its values
};

std::map<const thread_block*, block_trace> traces;
std::map<const kernel_launch*, std::vector<shown_array>> arrays_of;

// Of a block of the launch that runs.
block_trace& trace_of(const thread_block& block) {
    block_trace& found = traces[&block];
    found.arrays = &arrays_of[current_launch];
    return found;
}

void tell(const std::string& record) {
    records += record + "\n";
    bytes_told += record.size();
    if (records.size() > flush_bytes) flush_trace();
}

std::string triple(dim3 d) {
    return std::to_string(d.x) + "x" + std::to_string(d.y) + "x" + std::to_string(d.z);
}

void tell_values(const thread_block& block, block_trace& trace, const std::string& number) {
    const std::vector<shown_array>& all = *trace.arrays;
    trace.told.resize(all.size());
    trace.known.resize(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
        const size_t size = all[i].value(), count = all[i].values();
        std::vector<unsigned char>& told = trace.told[i];
        told.resize(size * count);
        trace.known[i].resize(count);
        const unsigned char* now = block.shared + all[i].offset;
        const unsigned char* states = states_to_read(now);
        value_list list;
        for (size_t v = 0; v < count; ++v) {
            const size_t at = v * size;
            if (state_of(states[at]) != abi::shadow_initialized ||
                (trace.known[i][v] && memcmp(&told[at], now + at, size) == 0))
                continue;
            trace.known[i][v] = true;
            memcpy(&told[at], now + at, size);
            uint64_t bits = 0;
            memcpy(&bits, now + at, size);
            list.add(int(v), all[i].kind.c_str(), bits);
        }
        if (const std::string text = list.text(); !text.empty())
            tell("values " + number + " " + std::to_string(i) + text);
    }
}

void tell_work(const thread_block& block, block_trace& trace) {
    const std::string number = std::to_string(block.number);
    for (auto& [variable, threads] : trace.assigned) {
        value_list list;
        for (auto& [thread, bits] : threads)
            list.add(thread, __emu_stepped_variables[variable].kind, bits);
        tell("set " + number + " " + std::to_string(variable) + list.text());
    }
    for (const warp_access& one : trace.accesses) {
        value_list list;
        for (int lane = 0; lane < warp_size; ++lane)
            if (one.lanes >> lane & 1) list.add(lane, int64_t(one.at[lane]));
        const std::string where = one.array == of_global_memory   ? "global"
                                  : one.array == of_shared_memory ? "shared"
                                                                  : std::to_string(one.array);
        tell("access " + number + " " + std::to_string(one.warp) + " " + char(one.kind) + " " +
             where + " " + std::to_string(one.size) + list.text());
    }
    if (block.shared) tell_values(block, trace, number);
    trace.assigned.clear();
    trace.accesses.clear();
    trace.rounds.clear();
}

void tell_program() {
    for (const source_line* line = __emu_source; line->text; ++line)
        tell("source " + std::to_string(line->number) + " " + line->text);
    for (const abi::stepped_variable* v = __emu_stepped_variables; v->name; ++v)
        tell("variable " + std::to_string(v - __emu_stepped_variables) + " " + v->name + " " +
             std::to_string(v->first) + " " + std::to_string(v->last) + " " + v->kind);
}

std::vector<shown_array> arrays_in(const kernel_launch& launch) {
    std::vector<shown_array> found;
    for (const abi::stepped_array* a = __emu_stepped_arrays; a->name; ++a) {
        const bool dynamic = a->number == abi::dynamic_shared_variable;
        bool used = dynamic && launch.dynamic_shared > 0;
        for (const int* number = launch.kernel->shared; *number >= 0; ++number)
            used |= *number == a->number;
        if (!used) continue;
        const size_t bytes =
            dynamic ? launch.dynamic_shared : size_t(__emu_shared_variables[a->number].bytes);
        // Kernels may call dynamic shared memory by different names and types.
        if (dynamic && !found.empty() && found.back().extents.empty()) {
            if (found.back().kind != a->kind) found.back().kind = "x", found.back().element = 4;
            continue;
        }
        found.push_back({a->name, a->kind, a->extents, shared_offset(*launch.kernel, a->number),
                         shared_offset_on_gpu(*launch.kernel, a->number), bytes, size_t(a->bytes)});
    }
    return found;
}

}  // namespace

void flush_trace() {
    for (size_t sent = 0; sent < records.size();) {
        const ssize_t count = write(3, records.data() + sent, records.size() - sent);
        if (count <= 0) break;
        sent += size_t(count);
    }
    records.clear();
}

bool wants_steps() { return steps_told < enough_steps && bytes_told < most_bytes; }
bool wants_steps(const thread_block& block) { return block.number < most_blocks && wants_steps(); }

void trace_launch(const kernel_launch& launch) {
    if (!std::exchange(program_told, true)) tell_program();
    tell(std::string("kernel ") + launch.kernel->name + " " + triple(launch.grid) + " " +
         triple(launch.block));
    std::vector<shown_array>& found = arrays_of[&launch] = arrays_in(launch);
    for (const shown_array& one : found)
        tell("array " + one.name + " " + one.kind + " " + std::to_string(one.element) + " " +
             std::to_string(one.bytes) + " " + std::to_string(one.gpu_offset) + " " + one.extents);
}

void trace_step(thread_block& block, int line) {
    block_trace& trace = trace_of(block);
    if (trace.steps) tell_work(block, trace);  // what came before the first line shows with that
    if (++trace.steps > most_steps || bytes_told > most_bytes) {
        tell("cut " + std::to_string(block.number));
        traces.erase(&block);
        block.stepped = false;
        return;
    }
    std::string lanes;
    for (const device_thread& thread : block.threads) {
        switch (thread.state) {
            case at_line: lanes += thread.line == line ? '#' : '.'; break;
            case at_barrier:
            case at_group_barrier: lanes += '|'; break;
            case in_warp_operation:
            case asking_active: lanes += 'w'; break;
            case over: lanes += '-'; break;
            default: lanes += '.'; break;
        }
    }
    ++steps_told;
    tell("step " + std::to_string(block.number) + " " + std::to_string(line) + " " + lanes);
}

void trace_event(const thread_block& block, int line, const std::string& text) {
    if (traced(block))
        tell("event " + std::to_string(block.number) + " " + std::to_string(line) + " " + text);
}

void trace_assigned(int variable, uint64_t bits) {
    trace_of(*current_block).assigned[variable][current_thread] = bits;
}

void trace_access(const void* p, size_t size, trace_kind kind, int place,
                  const thread_block* owner) {
    if (!in_arena(p)) return;  // of the thread's own memory, or of a constant
    block_trace& trace = trace_of(*current_block);
    int array = of_global_memory;
    uint64_t at = uintptr_t(p);
    if (owner) {
        if (owner != current_block) return;  // another block's of the cluster
        array = of_shared_memory;
        at -= uintptr_t(owner->shared);
        const std::vector<shown_array>& all = *trace.arrays;
        for (size_t i = 0; i < all.size(); ++i)
            if (at - all[i].offset < all[i].bytes) array = int(i);
        if (array >= 0) at -= all[size_t(array)].offset;
    }
    const int round = trace.rounds[{current_thread, place}]++;
    const int warp = current_thread / warp_size, lane = current_thread % warp_size;
    warp_access* found = nullptr;
    for (size_t i = trace.accesses.size(); i-- > 0 && !found;) {
        warp_access& one = trace.accesses[i];
        if (one.warp == warp && one.place == place && one.round == round && one.kind == kind &&
            one.size == size && one.array == array)
            found = &one;
    }
    if (!found) {
        if (trace.accesses.size() >= most_accesses) return;
        trace.accesses.push_back({warp, place, round, kind, size, array, {}});
        found = &trace.accesses.back();
    }
    found->lanes |= 1U << lane;
    found->at[lane] = at;
}

void trace_end(const thread_block& block) {
    const auto found = traces.find(&block);
    if (found == traces.end()) return;
    if (found->second.steps) tell_work(block, found->second);
    traces.erase(found);
}

}  // namespace emulator
