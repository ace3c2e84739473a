// Runs a kernel: some blocks at a time, a fibre for each of their threads, which give way where they wait.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>

#include "runtime.hpp"

extern "C" {  // the built-in variables of the thread that runs
uint3 __emu_thread, __emu_block;
dim3 __emu_block_size, __emu_grid_size;
}

namespace emulator {

const Launch* current_launch;
Block* current_block;
int current_thread;
bool memory_changed;
uint64_t seed;
uintptr_t __emu_shared_low = UINTPTR_MAX, __emu_shared_high;

static uint64_t random_state;

uint32_t random_below(uint32_t bound) {  // splitmix64
    if (random_state == 0) random_state = seed;
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return uint32_t((z ^ z >> 31) % bound);
}

namespace {

uint64_t volume(dim3 d) { return uint64_t(d.x) * d.y * d.z; }
uint3 at(uint64_t number, dim3 size) {
    return {unsigned(number % size.x), unsigned(number / size.x % size.y), unsigned(number / size.x / size.y)};
}
std::string triple(uint3 v) {
    return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

// Threads alive at a time, of all blocks of a launch. More blocks begin only if all of these wait.
#ifdef __wasm__
constexpr int most_threads = 8192;
#else
constexpr int most_threads = 1 << 19;
#endif
constexpr unsigned spins_before_yield = 32;
constexpr uint64_t most_idle_looks = 3000000;  // of all threads, while nothing else happens

}  // namespace

class Execution {
public:
    explicit Execution(Launch launch);
    ~Execution();

    Progress advance();
    void give_up();

    Launch launch_;
    cudaError_t error_ = cudaSuccess;
    void** arguments() { return arguments_.data(); }
    void run_plainly();
    void stop(cudaError_t error, const std::string& text);
    void tell_overflow(int bytes, const Thread* thread);
    Block* holding(const void* p) {
        for (auto& block : blocks_)
            if (block && uintptr_t(p) - uintptr_t(block->shared) < block->shared_bytes) return block.get();
        return nullptr;
    }
    Block* in_cluster(const Block& block, unsigned rank) {
        const unsigned group = block.number / per_cluster_;
        for (auto& other : blocks_)
            if (other && other->number == group * per_cluster_ + rank) return other.get();
        return nullptr;
    }
    unsigned per_cluster() const { return per_cluster_; }

private:
    bool begin_group();
    void begin_block(uint64_t number);
    void leave(Block& block);
    bool run(Block& block);
    bool overflowed(int slot, const Thread* thread);
    bool resolve(Block& block);
    bool resolve_warp(Block& block, int first);
    bool resolve_active(Block& block, int first);
    bool resolve_groups();
    bool step_line(Block& block);
    void stuck();
    uint3 index_of(uint64_t number) const;

    std::vector<void*> arguments_;
    uint64_t count_, begun_ = 0, offset_ = 0, step_ = 1;
    unsigned per_cluster_;
    int threads_;
    size_t shared_bytes_;
    bool plain_;
    std::vector<std::unique_ptr<Block>> blocks_, spare_;
    uint64_t idle_looks_ = 0;
};

namespace {

Execution* current;
// Fibres are numbered over all launches that are under way.
int executions, first_free_slot;
struct Slots {
    int first, count;
};
std::vector<Slots> free_slots;

int take_slots(int count) {
    for (auto& hole : free_slots)
        if (hole.count >= count) {
            hole.count -= count;
            return hole.first + hole.count;
        }
    const int found = first_free_slot;
    first_free_slot += count;
    reserve_fibres(first_free_slot);
    return found;
}

void give_slots(int first, int count) {
    for (auto& hole : free_slots)
        if (hole.count == 0) {
            hole = {first, count};
            return;
        }
    free_slots.push_back({first, count});
}

void forget_slots() {  // no launch is under way
    first_free_slot = 0;
    free_slots.clear();
}

void show_thread(const Block& block, int thread) {
    current_thread = thread;
    __emu_thread = block.threads[thread].index;
}

}  // namespace

// -- one launch
// --------------------------------------------------------------------------------------------------------

Execution::Execution(Launch launch) : launch_(std::move(launch)) {
    ++executions;
    for (auto& value : launch_.values) arguments_.push_back(value.data());
    count_ = volume(launch_.grid);
    per_cluster_ = unsigned(volume(launch_.cluster));
    threads_ = int(volume(launch_.block));
    shared_bytes_ = shared_offset(*launch_.kernel, -1) + launch_.dynamic_shared;
    const uint64_t groups = count_ / per_cluster_;
    if (seed && groups > 1) {  // any step that shares no divisor with the count visits every group once
        offset_ = random_below(uint32_t(std::min<uint64_t>(groups, UINT32_MAX)));
        do step_ = 1 + random_below(uint32_t(std::min<uint64_t>(groups, UINT32_MAX)));
        while (std::gcd(step_, groups) != 1);
    }
    if (__emu_stepping) trace_launch(launch_);
    plain_ = !launch_.kernel->yields && !__emu_stepping;
}

Execution::~Execution() {
    if (__emu_stepping) flush_trace();
    for (auto& block : blocks_)
        if (block) leave(*block);
    if (current == this) current = nullptr;
    if (--executions == 0) forget_slots();
}

// Blocks of a cluster follow one another in number, so that a cluster begins as a whole.
uint3 Execution::index_of(uint64_t number) const {
    if (per_cluster_ == 1) return at(number, launch_.grid);
    const dim3 c = launch_.cluster, g = launch_.grid;
    const uint3 cluster = at(number / per_cluster_, dim3(g.x / c.x, g.y / c.y, g.z / c.z));
    const uint3 rank = at(number % per_cluster_, c);
    return {cluster.x * c.x + rank.x, cluster.y * c.y + rank.y, cluster.z * c.z + rank.z};
}

void Execution::begin_block(uint64_t number) {
    // What a block's memory remembers stays; a later epoch makes it the past.
    std::unique_ptr<Block> block;
    if (spare_.empty()) {
        block = std::make_unique<Block>();
    } else {
        block = std::move(spare_.back());
        spare_.pop_back();
        ++block->epoch;
    }
    block->number = unsigned(number);
    block->index = index_of(number);
    block->first_slot = plain_ ? 0 : take_slots(threads_);
    block->shared_bytes = shared_bytes_;
    block->shared = shared_bytes_ ? static_cast<unsigned char*>(take_shared(shared_bytes_)) : nullptr;
    if (shared_bytes_ && !block->shared)
        stop(cudaErrorMemoryAllocation, ": no memory is left for the shared variables of a block");
    if (block->shared) {
        __emu_shared_low = std::min(__emu_shared_low, uintptr_t(block->shared));
        __emu_shared_high = std::max(__emu_shared_high, uintptr_t(block->shared) + shared_bytes_);
        block->words.resize(shared_bytes_ / 4 + 1);
        for (const int* number = launch_.kernel->shared; *number >= 0; ++number)
            guard_shared(
                block->shared + shared_offset(*launch_.kernel, *number) + __emu_shared_variables[*number].bytes,
                shared_guard);
    }
    if (block->threads.empty()) {
        block->threads.resize(threads_);
        for (int i = 0; i < threads_; ++i) block->threads[i].index = at(i, launch_.block);
        block->order.resize(threads_);
        std::iota(block->order.begin(), block->order.end(), uint16_t(0));
    } else {
        for (Thread& thread : block->threads) {
            thread.state = fresh;
            thread.spins = 0;
            thread.last_line = 0;
            thread.fenced = false;
        }
    }
    if (seed)
        for (int i = threads_ - 1; i > 0; --i) std::swap(block->order[i], block->order[random_below(i + 1)]);
    block->warp_epochs.assign((threads_ + 31) / 32, 0);
    block->warp_gone.assign((threads_ + 31) / 32, 0);
    if (threads_ % 32) block->warp_gone.back() = ~0U << threads_ % 32;
    block->alive = threads_;
    block->races_checked = block->races_across_warps_checked = true;
    blocks_.push_back(std::move(block));
}

bool Execution::begin_group() {
    const uint64_t groups = count_ / per_cluster_;
    if (begun_ >= groups) return false;
    if (!blocks_.empty() && (blocks_.size() + per_cluster_) * threads_ > size_t(most_threads)) return false;
    const uint64_t group = (offset_ + begun_++ * step_) % groups;
    for (unsigned rank = 0; rank < per_cluster_; ++rank) begin_block(group * per_cluster_ + rank);
    return true;
}

void Execution::leave(Block& block) {
    if (!plain_) give_slots(block.first_slot, threads_);
    if (block.shared) give_shared(block.shared, block.shared_bytes);
    block.shared = nullptr;
}

// The whole grid as loops over blocks and threads, for kernels in which no thread waits for another.
void Execution::run_plainly() {
    const int number = int(launch_.kernel - __emu_kernels);
    while (begin_group() && error_ == cudaSuccess) {
        for (auto& owned : blocks_) {
            Block& block = *owned;
            current_block = &block;
            __emu_block = block.index;
            for (const int thread : block.order) {
                show_thread(block, thread);
                __emu_call(number, arguments());
                settle();
            }
            leave(block);
            spare_.push_back(std::move(owned));
        }
        blocks_.clear();
    }
}

Progress Execution::advance() {
    current = this;
    current_launch = &launch_;
    __emu_block_size = launch_.block;
    __emu_grid_size = launch_.grid;
    if (plain_) {
        const int slot = take_slots(1);
        enter_fibre(slot, true);
        overflowed(slot, nullptr);
        give_slots(slot, 1);
        for (auto& block : blocks_)
            if (block) leave(*block);  // there are some only after a fault
        blocks_.clear();
        current_block = nullptr;
        return Progress::done;
    }
    // With a seed, some blocks run at a time; a cooperative grid is there as a whole.
    const size_t wanted = launch_.cooperative ? size_t(count_) : seed ? std::max(4U, per_cluster_) : per_cluster_;
    while (error_ == cudaSuccess && blocks_.size() < wanted && begin_group()) {
    }
    bool progress = false;
    int looks = 0;
    for (size_t i = 0; i < blocks_.size() && error_ == cudaSuccess; ++i) progress |= run(*blocks_[i]);
    if (error_ == cudaSuccess) progress |= resolve_groups();
    for (auto& block : blocks_)
        for (const Thread& thread : block->threads) looks += thread.state == spinning;
    blocks_.erase(std::remove_if(blocks_.begin(), blocks_.end(),
                                 [this](auto& block) {
                                     if (block->alive) return false;
                                     leave(*block);
                                     spare_.push_back(std::move(block));
                                     return true;
                                 }),
                  blocks_.end());
    current_block = nullptr;
    if (error_ != cudaSuccess || (blocks_.empty() && begun_ == count_ / per_cluster_)) return Progress::done;
    if (std::exchange(memory_changed, false)) idle_looks_ = 0;
    if (progress) {
        idle_looks_ = 0;
        return Progress::running;
    }
    if (!blocks_.empty() && begin_group()) return Progress::running;  // what these wait for may come from the next
    if (begun_ < count_ / per_cluster_ && (launch_.cooperative || !looks)) {
        stop(cudaErrorLaunchTimeout, ": needs more than the " + std::to_string(most_threads) +
                                         " threads at a time that there is room for here");
        return Progress::done;
    }
    if (!looks) {
        stuck();
        return Progress::done;
    }
    idle_looks_ += uint64_t(looks);
    return idle_looks_ > most_idle_looks ? (give_up(), Progress::done) : Progress::waiting;
}

// Whether a thread, or one of them all, has written beyond its stack; then nothing can be relied on any more.
bool Execution::overflowed(int slot, const Thread* thread) {
    const int bytes = overflowed_bytes(slot);
    if (!bytes) return false;
    tell_overflow(bytes, thread);
    return true;
}

void Execution::tell_overflow(int bytes, const Thread* thread) {
    stop(cudaErrorLaunchFailure, (thread ? ", thread " + triple(thread->index) : "") +
                                     ": needs more local memory than the " + std::to_string(bytes >> 10) +
                                     " KiB that a thread has here");
}

// Ends the launch with an error, and says why behind the kernel's name.
void Execution::stop(cudaError_t error, const std::string& text) {
    error_ = error;
    fflush(stdout);
    fprintf(stderr, "emulator: %s%s\n", launch_.kernel->name, text.c_str());
}

void stack_is_full(int bytes) {
    current->tell_overflow(bytes, &self());
    __emu_pending_write.to = nullptr;
    abandon_fibre();
}

// Runs each thread of a block that can go on; then lets barriers and warp operations through.
bool Execution::run(Block& block) {
    bool progress = false;
    current_block = &block;
    __emu_block = block.index;
    for (const int number : block.order) {
        Thread& thread = block.threads[number];
        if (thread.state != fresh && thread.state != ready && thread.state != spinning) continue;
        const bool first = thread.state == fresh;
        thread.state = ready;
        show_thread(block, number);
        const Outcome outcome = enter_fibre(block.first_slot + number, first);
        if (outcome == abandoned) return true;  // a fault, which has said so
        if (overflowed(block.first_slot + number, &thread)) return true;
        if (outcome == ended) {
            thread.state = over;
            --block.alive;
            block.warp_gone[number / 32] |= 1U << number % 32;
        }
        progress |= thread.state != spinning;
    }
    return resolve(block) || (traced(block) && step_line(block)) || progress;
}

// The threads at the lowest of the lines where some wait go on: paths that parted meet again behind their branches.
bool Execution::step_line(Block& block) {
    int line = 0;
    for (const Thread& thread : block.threads) {
        if (thread.state == fresh || thread.state == ready) return false;
        if (thread.state == at_line && (line == 0 || thread.line < line)) line = thread.line;
    }
    if (line == 0) return false;
    trace_step(block, line);
    for (Thread& thread : block.threads)
        if (thread.state == at_line && thread.line == line) thread.state = ready;
    return true;
}

bool Execution::resolve(Block& block) {
    bool progress = false;
    for (int first = 0; first < threads_; first += 32)
        if (resolve_warp(block, first) || resolve_active(block, first)) progress = true;
    int waiting = 0, sum = 0;
    bool all = true, any = false;
    for (const Thread& thread : block.threads) {
        if (thread.state != at_barrier) continue;
        ++waiting;
        sum += thread.barrier_value != 0;
        all &= thread.barrier_value != 0;
        any |= thread.barrier_value != 0;
    }
    if (waiting == 0 || waiting != block.alive) return progress;
    const Thread* reference = nullptr;
    for (Thread& thread : block.threads) {
        if (thread.state != at_barrier) continue;
        if (!reference) reference = &thread;
        if (thread.line == reference->line && strcmp(thread.file, reference->file) == 0 &&
            thread.barrier_kind == reference->barrier_kind)
            continue;
        const int number = int(&thread - block.threads.data());
        current_block = &block;
        show_thread(block, number);
        const std::string one = place_text(reference->file, reference->line);
        const std::string other = place_text(thread.file, thread.line);
        stop(cudaErrorLaunchFailure, ", block " + triple(block.index) +
                                         ": deadlock at a barrier that only a part of the block reaches: thread " +
                                         triple(reference->index) + " waits at " + one + ", thread " +
                                         triple(thread.index) + " at " +
                                         (one == other ? "another barrier of that line" : other));
        return true;
    }
    for (Thread& thread : block.threads) {
        if (thread.state != at_barrier) continue;
        const int kind = thread.barrier_kind;
        thread.fenced = false;
        thread.barrier_value = kind == 1 ? sum : kind == 2 ? all : kind == 3 ? any : 0;
        thread.state = ready;
    }
    ++block.epoch;
    if (traced(block)) trace_event(block, reference->line, "the barrier lets all go on");
    return true;
}

static void copy(void* to, const void* from, int size) {
    if (size == 4)
        memcpy(to, from, 4);
    else if (size == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, size);
}

// Warp operations whose lanes are all there.
bool Execution::resolve_warp(Block& block, int first) {
    bool progress = false;
    const int end = std::min(first + 32, threads_);
    for (int i = first; i < end; ++i) {
        Thread& thread = block.threads[i];
        if (thread.state != in_warp_operation) continue;
        const unsigned mask = thread.request.mask;
        const unsigned lanes = mask & ~block.warp_gone[first / 32];  // nobody waits for those that have ended
        bool complete = true;
        for (int lane = 0; lane < 32 && complete; ++lane) {
            if (!(lanes >> lane & 1)) continue;
            const Thread& other = block.threads[first + lane];
            complete = other.state == in_warp_operation && other.request.mask == mask &&
                       other.request.kind == thread.request.kind && other.request.size == thread.request.size;
        }
        if (!complete) continue;
        const int size = thread.request.size;
        static std::vector<unsigned char> all;
        all.assign(size_t(32) * size, 0xcd);
        for (int lane = 0; lane < 32; ++lane)
            if (lanes >> lane & 1 && size)
                copy(&all[size_t(lane) * size], block.threads[first + lane].request.value, size);
        for (int lane = 0; lane < 32; ++lane) {
            if (!(lanes >> lane & 1)) continue;
            Thread& other = block.threads[first + lane];
            if (other.request.kind == WarpRequest::gather) {
                memcpy(other.request.result, all.data(), all.size());
                *other.request.lanes = lanes;
            }
            if (other.request.kind == WarpRequest::shuffle && mask & ~lanes & 1U << other.request.source) {
                const int source = first + other.request.source;
                current_block = &block;
                show_thread(block, first + lane);
                stop(cudaErrorLaunchFailure, ", block " + triple(block.index) + ", thread " + triple(other.index) +
                                                 ", " + place_text(other.file, other.line) + ": a shuffle from lane " +
                                                 std::to_string(other.request.source) + ", which " +
                                                 (source < threads_ ? "has ended" : "does not exist"));
                return true;
            }
            if (other.request.kind == WarpRequest::shuffle)
                copy(other.request.result, &all[size_t(other.request.source) * size], size);
            other.state = ready;
        }
        if (traced(block)) trace_event(block, thread.line, "the warp operation is complete");
        if (thread.request.kind == WarpRequest::barrier) ++block.warp_epochs[first / 32];  // others order no memory
        progress = true;
    }
    return progress;
}

// __activemask(): lanes of a warp that ask at the same place while no other lane of it can run.
bool Execution::resolve_active(Block& block, int first) {
    const int end = std::min(first + 32, threads_);
    const Thread* asking = nullptr;
    for (int i = first; i < end; ++i) {
        const Thread& thread = block.threads[i];
        if (thread.state == ready || thread.state == fresh || thread.state == at_line) return false;
        if (thread.state == asking_active && !asking) asking = &thread;
    }
    if (!asking) return false;
    unsigned mask = 0;
    for (int i = first; i < end; ++i) {
        const Thread& thread = block.threads[i];
        if (thread.state == asking_active && thread.line == asking->line && strcmp(thread.file, asking->file) == 0)
            mask |= 1U << (i - first);
    }
    for (int i = first; i < end; ++i) {
        if (!(mask >> (i - first) & 1)) continue;
        block.threads[i].active = mask;
        block.threads[i].state = ready;
    }
    return true;
}

// Barriers of clusters and of the whole grid.
bool Execution::resolve_groups() {
    bool progress = false;
    for (size_t i = 0; i < blocks_.size(); ++i) {
        const auto open = [](const Block& block, int scope) {
            for (const Thread& thread : block.threads)
                if (thread.state != over && !(thread.state == at_group_barrier && thread.scope == scope)) return false;
            return true;
        };
        const auto waits = [&](int scope) {
            for (const Thread& thread : blocks_[i]->threads)
                if (thread.state == at_group_barrier && thread.scope == scope) return true;
            return false;
        };
        for (const int scope : {1, 2}) {
            if (!waits(scope)) continue;
            bool complete = scope == 1 || begun_ == count_ / per_cluster_;
            std::vector<Block*> members;
            for (auto& other : blocks_)
                if (scope == 2 || other->number / per_cluster_ == blocks_[i]->number / per_cluster_)
                    members.push_back(other.get());
            for (const Block* member : members) complete = complete && open(*member, scope);
            if (!complete) continue;
            for (Block* member : members) {
                for (Thread& thread : member->threads)
                    if (thread.state == at_group_barrier) thread.state = ready;
                ++member->epoch;
            }
            progress = true;
        }
    }
    return progress;
}

// Nobody can go on: says who waits where.
void Execution::stuck() {
    const Block& block = *blocks_.front();
    std::string text;
    const Thread* lonely = nullptr;
    std::vector<std::pair<std::string, int>> places;
    int ended = 0;
    for (const Thread& thread : block.threads) {
        std::string what;
        if (thread.state == over) ++ended;
        if (thread.state == at_barrier) what = "at __syncthreads";
        if (thread.state == at_group_barrier) what = thread.scope == 1 ? "for the cluster" : "for the grid";
        if (thread.state == in_warp_operation) {
            char mask[16];
            snprintf(mask, sizeof mask, "0x%08x", thread.request.mask);
            what = std::string("in a warp operation of the lanes ") + mask;
            lonely = &thread;
        }
        if (what.empty()) continue;
        what += " at " + place_text(thread.file, thread.line);
        if (!places.empty() && places.back().first == what)
            ++places.back().second;
        else {
            auto known = std::find_if(places.begin(), places.end(), [&](auto& p) { return p.first == what; });
            if (known == places.end())
                places.emplace_back(what, 1);
            else
                ++known->second;
        }
    }
    for (auto& [what, count] : places)
        text += (text.empty() ? "" : ", ") + std::to_string(count) +
                (count == 1 ? " thread waits " : " threads wait ") + what;
    if (ended) text += ", " + std::to_string(ended) + " ended";
    stop(lonely ? cudaErrorLaunchFailure : cudaErrorLaunchTimeout,
         ", block " + triple(block.index) + ": deadlock: " + text);
}

void Execution::give_up() {
    const Block& block = *blocks_.front();
    for (const Thread& thread : block.threads)
        if (thread.state == spinning) {
            stop(cudaErrorLaunchTimeout, ", block " + triple(block.index) + ", thread " + triple(thread.index) +
                                             ": waits without end for memory to change");
            return;
        }
}

Execution* begin_execution(Launch launch) { return new Execution(std::move(launch)); }
Progress advance(Execution& execution) {
    static Execution* next;
    static Progress progress;
    next = &execution;
    progress = Progress::done;
    guarded([] { progress = next->advance(); });
    return progress;
}
cudaError_t finish_execution(Execution* execution) {
    const cudaError_t error = execution->error_;
    delete execution;
    return error;
}

void fibre_main(int) {
    if (!current->launch_.kernel->yields && !__emu_stepping)
        current->run_plainly();
    else {
        __emu_call(int(current_launch->kernel - __emu_kernels), current->arguments());
        settle();
    }
}

Block* block_of_shared(const void* p) {
    if (uintptr_t(p) - __emu_shared_low >= __emu_shared_high - __emu_shared_low || !current) return nullptr;
    return current->holding(p);
}

// -- messages
// --------------------------------------------------------------------------------------------------------------

std::string place_text(const char* file, int line) {
    const char* name = strrchr(file, '/');
    return std::string(name ? name + 1 : file) + ":" + std::to_string(line & line_bits);
}

std::string thread_text(const Block& block, int thread) { return triple(block.threads[thread].index); }

void fault(cudaError_t error, const std::string& place, const std::string& text) {
    fflush(stdout);
    fprintf(stderr, "emulator: %s, block %s, thread %s%s%s: %s\n", current_launch->kernel->name,
            triple(current_block->index).c_str(), thread_text(*current_block, current_thread).c_str(),
            place.empty() ? "" : ", ", place.c_str(), text.c_str());
    trace_event(*current_block, self().last_line, text);
    current->error_ = error;
    __emu_pending_write.to = nullptr;
    abandon_fibre();
}

// -- what threads call
// -------------------------------------------------------------------------------------------------------

static void wait_as(State state, const char* file, int line) {
    Thread& thread = self();
    settle();
    thread.state = state;
    thread.file = file;
    thread.line = line;
    thread.spins = 0;
    yield_fibre();
}

void spin() {
    Thread& thread = self();
    if (++thread.spins % spins_before_yield != 0 || !current_launch->kernel->yields) return;
    settle();
    thread.state = spinning;
    yield_fibre();
}

static void operate(WarpRequest request, const char* file, int line) {
    Thread& thread = self();
    const int lane = current_thread & 31;
    if (!(request.mask >> lane & 1)) {
        char mask[16];
        snprintf(mask, sizeof mask, "0x%08x", request.mask);
        fault(cudaErrorIllegalInstruction, place_text(file, line),
              std::string("calls a warp operation whose mask ") + mask + " does not name its own lane");
    }
    thread.request = request;
    wait_as(in_warp_operation, file, line);
}

}  // namespace emulator

using namespace emulator;

extern "C" {

void __emu_line(int line) {
    Thread& thread = self();
    if (!traced(*current_block) || thread.last_line == line) return;
    thread.last_line = line;
    wait_as(at_line, "", line);
}

int __emu_barrier(int kind, int value, const char* file, int line) {
    Thread& thread = self();
    thread.barrier_kind = kind;
    thread.barrier_value = value;
    wait_as(at_barrier, file, line);
    return self().barrier_value;
}

void __emu_warp_barrier(unsigned mask, const char* file, int line) {
    operate({WarpRequest::barrier, mask, nullptr, 0, 0, nullptr}, file, line);
}

unsigned __emu_warp_gather(unsigned mask, const void* value, int size, void* all, const char* file, int line) {
    unsigned lanes = 0;
    operate({WarpRequest::gather, mask, value, size, 0, all, &lanes}, file, line);
    return lanes;
}

void __emu_shuffle(unsigned mask, const void* value, int size, int source, void* result, const char* file, int line) {
    operate({WarpRequest::shuffle, mask, value, size, source, result}, file, line);
}

unsigned __emu_active_lanes(const char* file, int line) {
    wait_as(asking_active, file, line);
    return self().active;
}

void __emu_group_barrier(int scope, const char* file, int line) {
    if (scope == 0) {
        __emu_barrier(0, 0, file, line);
        return;
    }
    if (scope == 2 && !current_launch->cooperative)
        fault(cudaErrorLaunchFailure, place_text(file, line),
              "waits for the grid in a launch that is not cooperative: use cudaLaunchCooperativeKernel");
    self().scope = scope;
    wait_as(at_group_barrier, file, line);
}

int __emu_lane() { return current_thread & 31; }

void* __emu_shared(int variable) { return current_block->shared + shared_offset(*current_launch->kernel, variable); }

void* __emu_remote_shared(void* mine, unsigned rank, const char* file, int line) {
    if (rank >= current->per_cluster())
        fault(cudaErrorIllegalAddress, place_text(file, line),
              "asks for the shared memory of block " + std::to_string(rank) + " of a cluster of " +
                  std::to_string(current->per_cluster()));
    const Block* other = current->in_cluster(*current_block, rank);
    if (!other)
        fault(cudaErrorIllegalAddress, place_text(file, line), "asks for the shared memory of a block that has ended");
    return other->shared + (static_cast<unsigned char*>(mine) - current_block->shared);
}

unsigned __emu_cluster_query(int what) {
    const dim3 c = current_launch->cluster;
    const uint3 b = current_block->index;
    const unsigned index[] = {b.x % c.x, b.y % c.y, b.z % c.z}, size[] = {c.x, c.y, c.z};
    if (what == 0) return (index[2] * c.y + index[1]) * c.x + index[0];
    if (what == 1) return c.x * c.y * c.z;
    if (what == 8) return current_launch->cooperative;
    return what < 5 ? index[what - 2] : size[what - 5];
}

}  // extern "C"
