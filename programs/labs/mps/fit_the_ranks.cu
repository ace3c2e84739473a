// How many ranks fit on a GPU as clients of one server? Each needs a context, stacks
// for all threads of its SMs, a copy of the constants, and its part of the data, which
// is divided among them; and it needs work queues, of which the server has a fixed
// number. Write the function.

#include <algorithm>

#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

/// What the GPU and the server have.
struct supply {
    long long free_mib;  ///< free memory
    int sms;
    int threads_of_sm;
    int clients;  ///< at most
    int queues;   ///< of all clients together
};

/// What a program needs.
struct demand {
    long long data_mib;       ///< of all ranks together
    long long constants_mib;  ///< of each rank
    long long context_mib;    ///< of each rank, without the stacks
    int stack_bytes;          ///< of each thread
    int percentage;           ///< of the SMs that a rank may use
    int queues;               ///< of each rank
};

/// The largest number of ranks; 0 if not even one fits.
int most_ranks(const supply& has, const demand& needs) {
    // [task]
    const long long sms = (1LL * has.sms * needs.percentage + 99) / 100;
    const long long stacks = sms * has.threads_of_sm * needs.stack_bytes;  // > 2^31
    const double each =
        double(needs.context_mib + needs.constants_mib) + double(stacks) / (1 << 20);
    const auto by_memory = (long long)(double(has.free_mib - needs.data_mib) / each);
    const long long by_queues = std::min(has.clients, has.queues / needs.queues);
    return int(std::clamp(by_memory, 0LL, by_queues));
    //= given
    //| return has.free_mib > needs.data_mib ? has.clients : 0;  // what else is used?
    //= mutant memory_only
    //| const long long sms = (1LL * has.sms * needs.percentage + 99) / 100;
    //| const long long stacks = sms * has.threads_of_sm * needs.stack_bytes;
    //| const double each = double(needs.context_mib + needs.constants_mib) +
    //|                     double(stacks) / (1 << 20);
    //| return std::max(0, int(double(has.free_mib - needs.data_mib) / each));
    //= mutant data_for_each
    //| const long long sms = (1LL * has.sms * needs.percentage + 99) / 100;
    //| const long long stacks = sms * has.threads_of_sm * needs.stack_bytes;
    //| const double each =
    //|     double(needs.context_mib + needs.constants_mib + needs.data_mib) +
    //|     double(stacks) / (1 << 20);
    //| return int(std::min(double(std::min(has.clients, has.queues / needs.queues)),
    //|                     double(has.free_mib) / each));
    //= mutant stacks_of_all_sms
    //| const long long stacks =
    //|     1LL * has.sms * has.threads_of_sm * needs.stack_bytes;
    //| const double each = double(needs.context_mib + needs.constants_mib) +
    //|                     double(stacks) / (1 << 20);
    //| const auto by_memory = (long long)(double(has.free_mib - needs.data_mib) / each);
    //| const long long by_queues = std::min(has.clients, has.queues / needs.queues);
    //| return int(std::clamp(by_memory, 0LL, by_queues));
    //= mutant queues_forgotten
    //| const long long sms = (1LL * has.sms * needs.percentage + 99) / 100;
    //| const long long stacks = sms * has.threads_of_sm * needs.stack_bytes;
    //| const double each = double(needs.context_mib + needs.constants_mib) +
    //|                     double(stacks) / (1 << 20);
    //| const auto by_memory = (long long)(double(has.free_mib - needs.data_mib) / each);
    //| return int(std::clamp(by_memory, 0LL, 1LL * has.clients));
    // [/task]
}

int main() {
    lockstep::require_device();

    constexpr supply h200{140'000, 132, 2048, 48, 96}, small{22'000, 48, 1536, 48, 96};
    const struct {
        const char* name;
        supply has;
        demand needs;
        const char* advice;
    } cases[] = {
        {"little data",
         h200,
         {2'000, 0, 256, 1024, 100, 2},
         "memory is enough for many: which other limit comes first?"},
        {"much data",
         h200,
         {130'000, 10, 256, 1024, 100, 2},
         "the data is divided among the ranks: it is there once"},
        {"a deep stack",
         h200,
         {20'000, 0, 256, 16'384, 100, 2},
         "16 KiB for 2048 threads of 132 SMs are 4.1 GiB for each rank"},
        {"a deep stack, 25 %",
         h200,
         {20'000, 0, 256, 16'384, 25, 2},
         "a rank that may use a quarter of the SMs needs a quarter of the stacks"},
        {"eight queues each",
         h200,
         {2'000, 0, 256, 1024, 50, 8},
         "the ranks share the queues of the server"},
        {"constants",
         small,
         {6'000, 900, 200, 2048, 75, 4},
         "each rank has its own copy of the constants"},
        {"data too large",
         small,
         {23'000, 1, 200, 1024, 100, 2},
         "the data alone does not fit"},
    };
    lockstep::exercise_verdict verdict;
    for (const auto& [name, has, needs, advice] : cases) {
        // rank by rank, until something is used up
        const double sms = (has.sms * needs.percentage + 99) / 100;
        const double mib = double(needs.context_mib + needs.constants_mib) +
                           sms * has.threads_of_sm * needs.stack_bytes / (1 << 20);
        int fit = 0;
        while (fit < has.clients && (fit + 1) * needs.queues <= has.queues &&
               double(needs.data_mib) + (fit + 1) * mib <= double(has.free_mib))
            ++fit;
        verdict.holds(name, most_ranks(has, needs) == fit, advice);
    }
    return verdict.finish();
}
