// Fibers on a processor of its own: Boost.Context switches stacks.

#include "fiber.hpp"

#include <sys/mman.h>

#include <boost/context/fiber.hpp>
#include <boost/context/preallocated.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

#include "faults.hpp"
#include "running_launch.hpp"

namespace emulator {

namespace {

namespace context = boost::context;

constexpr size_t stack_bytes = 64 << 10;
constexpr size_t below_bytes =
    1 << 20;  // for the first stacks to grow into: that is told afterwards
constexpr uint64_t untouched = 0x10c57e9a7b1e0000;  // at a stack's low end, unless it grew over it
constexpr size_t most_fibers = (size_t(1) << 19) + 1024;

unsigned char* stacks;
// A fiber that was abandoned is never unwound: its handle is written over, not destroyed.
struct fiber_handle {
    alignas(context::fiber) unsigned char bytes[sizeof(context::fiber)];
    context::fiber& fiber() { return *reinterpret_cast<context::fiber*>(bytes); }
};
std::vector<fiber_handle> handles;
context::fiber scheduler;
fiber_outcome outcome;
unsigned char* low_end;  // of the stack of the fiber that runs

struct slot_stack {  // hands out the stack that the slot owns
    void deallocate(context::stack_context&) {}
};

context::fiber& entered(int slot) { return handles[slot].fiber(); }

// A function that is handed a local array does not know its bounds: what it writes beside the array
// may be what a function returns to.
void tell_of_crash(int signal) {
    std::signal(signal, SIG_DFL);
    if (low_end)
        fprintf(stderr,
                "emulator: %s, block %s, thread %s: crashes; the likeliest reason is an index "
                "outside of an array in local memory\n",
                current_launch->kernel->name, triple(current_block->index).c_str(),
                thread_text(*current_block, current_thread).c_str());
    raise(signal);
}

void expect_crashes() {
    static unsigned char stack[64 << 10];  // the thread's own may be what is broken
    const stack_t other = {stack, 0, sizeof stack};
    sigaltstack(&other, nullptr);
    struct sigaction action = {};
    action.sa_handler = tell_of_crash;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
}

}  // namespace

void reserve_fibers(int count) {
    if (size_t(count) > most_fibers) abort();
    if (!stacks) {
        void* begin = mmap(nullptr, below_bytes + most_fibers * stack_bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (begin == MAP_FAILED) abort();
        stacks = static_cast<unsigned char*>(begin) + below_bytes;
        expect_crashes();
    }
    if (handles.size() < size_t(count)) handles.resize(count);
}

fiber_outcome enter_fiber(int slot, bool fresh) {
    if (fresh) {
        *reinterpret_cast<uint64_t*>(stacks + size_t(slot) * stack_bytes) = untouched;
        context::stack_context stack;
        stack.size = stack_bytes;
        stack.sp = stacks + (size_t(slot) + 1) * stack_bytes;
        new (handles[slot].bytes)
            context::fiber(std::allocator_arg, context::preallocated(stack.sp, stack.size, stack),
                           slot_stack(), [slot](context::fiber&& from) {
                               scheduler = std::move(from);
                               fiber_main(slot);
                               outcome = ended;
                               return std::move(scheduler);
                           });
    }
    outcome = yielded;
    unsigned char* const outer = low_end;
    low_end = stacks + size_t(slot) * stack_bytes;
    context::fiber back = std::move(entered(slot)).resume();
    low_end = outer;
    new (outcome == abandoned ? (new fiber_handle)->bytes : handles[slot].bytes)
        context::fiber(std::move(back));
    return outcome;
}

void yield_fiber() { scheduler = std::move(scheduler).resume(); }

void abandon_fiber() {
    outcome = abandoned;
    scheduler = std::move(scheduler).resume();
    __builtin_unreachable();
}

void guarded(void (*act)()) { act(); }

extern "C" void __emu_frame(const void* p) {  // after each array on the stack
    if (p < low_end) stack_is_full(int(stack_bytes));
}

int overflowed_bytes(int slot) {
    return *reinterpret_cast<uint64_t*>(stacks + size_t(slot) * stack_bytes) == untouched
               ? 0
               : int(stack_bytes);
}

bool in_fiber_stack(const void* p) {
    return uintptr_t(p) - uintptr_t(stacks) < most_fibers * stack_bytes;
}

bool in_own_stack(const void* p) { return uintptr_t(p) - uintptr_t(low_end) < stack_bytes; }

}  // namespace emulator
