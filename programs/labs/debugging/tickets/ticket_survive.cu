// Bug report: "One bad item, and the whole night's work is lost." After a fault, the
// process can use CUDA no more. The items are processed by a child process, which
// prints one result per line and may die on the way. Start as many children as
// necessary, so that every good item is processed. The result of a bad item is -1.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>

std::vector<int> child(const char* program, int first, int items);  // see below

// [task]
/// Results of all items.
/// @param program  to start a child with
/// @param items    how many
std::vector<int> all_results(const char* program, int items) {
    std::vector<int> results;
    while (static_cast<int>(results.size()) < items) {
        for (const int result : child(program, static_cast<int>(results.size()), items))
            results.push_back(result);
        // the one that it died of
        if (static_cast<int>(results.size()) < items) results.push_back(-1);
    }
    return results;
}
//= given
//| /// Results of all items.
//| /// @param program  to start a child with
//| /// @param items    how many
//| std::vector<int> all_results(const char* program, int items) {
//|     return child(program, 0, items);
//| }
//= mutant starts_at_the_bad_one
//| std::vector<int> all_results(const char* program, int items) {
//|     std::vector<int> results = child(program, 0, items);
//|     for (const int result : child(program, static_cast<int>(results.size()), items))
//|         results.push_back(result);
//|     results.resize(items, -1);
//|     return results;
//| }
//= mutant bad_one_forgotten
//| std::vector<int> all_results(const char* program, int items) {
//|     std::vector<int> results;
//|     for (int first = 0; first < items; ++first)
//|         for (const int result : child(program, first, first + 1))
//|             results.push_back(result);
//|     return results;
//| }
// [/task]

/// Squares a number; some numbers are bad.
/// @param item    the number
/// @param result  one int in device memory, written
__global__ void square(int item, int* result) {
    if (item % 7 == 3) result = reinterpret_cast<int*>(16);  // a fault
    *result = item * item;
}

/// The child's work: items from `first` on, one line each, until one faults.
void work(int first, int items) {
    lockstep::device_buffer<int> result(1);
    for (int item = first; item < items; ++item) {
        int host = 0;
        square<<<1, 1>>>(item, result.data());
        if (cudaMemcpy(&host, result.data(), sizeof host, cudaMemcpyDefault) !=
            cudaSuccess)
            break;
        std::printf("%d\n", host);
    }
    std::fflush(stdout);
    std::_Exit(EXIT_SUCCESS);  // nothing can be freed after a fault
}

/// Runs a child.
/// @return its results, from item `first` up to the first bad one
std::vector<int> child(const char* program, int first, int items) {
    const std::string said =
        lockstep::output_of(program, "--first " + std::to_string(first) + " --items " +
                                         std::to_string(items));
    std::vector<int> results;
    for (std::size_t at = 0; at < said.size(); at = said.find('\n', at) + 1)
        results.push_back(std::atoi(said.c_str() + at));
    return results;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int first = options.integer("first", -1, -1, 1000);
    const int items = options.integer("items", 12, 1, 1000);
    options.finish();
    lockstep::require_device();
    if (first >= 0) work(first, items);

    std::vector<int> expected;
    for (int item = 0; item < items; ++item)
        expected.push_back(item % 7 == 3 ? -1 : item * item);
    lockstep::exercise_verdict verdict;
    verdict.equal("results", all_results(argv[0], items), expected,
                  lockstep::numbered("the result of item"));
    return verdict.finish();
}
