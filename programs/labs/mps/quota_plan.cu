// Clients ask for numbers of SMs. Give each the smallest whole percentage that allows
// it at least so many, and never promise an SM twice: if the percentages add up to more
// than 100, the plan is refused and has no percentages at all. Write the function.

#include <cstddef>
#include <numeric>
#include <vector>

#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

/// Values of CUDA_MPS_ACTIVE_THREAD_PERCENTAGE for clients.
/// @param sms     number of SMs of the GPU
/// @param wanted  number of SMs for each client
/// @return a percentage for each client, or nothing if they do not fit
std::vector<int> plan(int sms, const std::vector<int>& wanted) {
    std::vector<int> percentages;
    // [task]
    for (const int count : wanted)
        percentages.push_back((100 * count + sms - 1) / sms);  // rounded up
    if (std::accumulate(percentages.begin(), percentages.end(), 0) > 100)
        percentages.clear();
    //= given
    //| for (const int count : wanted) percentages.push_back(count > sms ? 0 : 100);
    //= mutant rounded_down
    //| for (const int count : wanted) percentages.push_back(100 * count / sms);
    //| if (std::accumulate(percentages.begin(), percentages.end(), 0) > 100)
    //|     percentages.clear();
    //= mutant never_refused
    //| for (const int count : wanted)
    //|     percentages.push_back((100 * count + sms - 1) / sms);
    //= mutant counts_the_wishes
    //| for (const int count : wanted)
    //|     percentages.push_back((100 * count + sms - 1) / sms);
    //| if (std::accumulate(wanted.begin(), wanted.end(), 0) > sms) percentages.clear();
    //= mutant shares_of_the_wishes
    //| const int all = std::accumulate(wanted.begin(), wanted.end(), 0);
    //| for (const int count : wanted)
    //|     percentages.push_back((100 * count + all - 1) / all);
    //| if (all > sms) percentages.clear();
    // [/task]
    return percentages;
}

int main() {
    lockstep::require_device();

    const struct {
        const char* name;
        int sms;
        std::vector<int> wanted;
        bool fits;
        const char* advice;
    } cases[] = {
        {"66, 33 and 33 of 132", 132, {66, 33, 33}, true, "these are 50, 25 and 25 %"},
        {"1, 20 and 100 of 132",
         132,
         {1, 20, 100},
         true,
         "1 of 132 is 0.76 %: which whole percentage allows one SM?"},
        {"7 and 50 of 108",
         108,
         {7, 50},
         true,
         "what is not asked for stays free; 6 % of 108 is 6.48, less than 7"},
        {"44, 44 and 44 of 132",
         132,
         {44, 44, 44},
         false,
         "33 % is less than 44 SMs, and three times 34 is more than 100"},
        {"100 and 60 of 132", 132, {100, 60}, false, "more than there are"},
    };
    lockstep::exercise_verdict verdict;
    for (const auto& one : cases) {
        const std::vector<int> found = plan(one.sms, one.wanted);
        // each percentage allows enough, and one less does not
        bool right = found.size() == (one.fits ? one.wanted.size() : 0);
        for (std::size_t i = 0; right && i < found.size(); ++i)
            right = found[i] * one.sms >= 100 * one.wanted[i] &&
                    (found[i] - 1) * one.sms < 100 * one.wanted[i];
        verdict.holds(one.name, right, one.advice);
    }
    return verdict.finish();
}
