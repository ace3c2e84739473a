// Bug report: "The copy fails, sometimes." The copy is innocent: one of four kernels
// before it faults, and the copy is the first call that waits for it, as
// cudaDeviceSynchronize is in the starter. Write the function that runs the steps so
// that it returns the number of the step that really failed.

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>

/// Writes one number a thread, unless it is the broken one.
/// @param data    256 ints in device memory, written
/// @param broken  whether to write where no memory is allocated
__global__ void step_kernel(int* data, bool broken) {
    if (broken) data = reinterpret_cast<int*>(16);
    data[threadIdx.x] = threadIdx.x;
}

/// One step of the work.
struct step {
    int* data;  ///< 256 ints in device memory
    bool broken;  ///< whether it faults

    void launch() const { step_kernel<<<1, 256>>>(data, broken); }
};

// [task]
/// Runs all steps, up to the one that fails.
/// @return its number, or -1 if all went well
int first_failing(const std::vector<step>& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
        steps[i].launch();
        // refused
        if (cudaGetLastError() != cudaSuccess) return static_cast<int>(i);
        // ran, and failed
        if (cudaDeviceSynchronize() != cudaSuccess) return static_cast<int>(i);
    }
    return -1;
}
//= given
//| /// Runs all steps, up to the one that fails.
//| /// @return its number, or -1 if all went well
//| int first_failing(const std::vector<step>& steps) {
//|     for (std::size_t i = 0; i < steps.size(); ++i) {
//|         steps[i].launch();
//|         if (cudaGetLastError() != cudaSuccess) return static_cast<int>(i);
//|     }
//|     return cudaDeviceSynchronize() == cudaSuccess
//|                ? -1
//|                : static_cast<int>(steps.size()) - 1;
//| }
//= mutant waits_for_every_other
//| int first_failing(const std::vector<step>& steps) {
//|     for (std::size_t i = 0; i < steps.size(); ++i) {
//|         steps[i].launch();
//|         if (i % 2 == 1 && cudaDeviceSynchronize() != cudaSuccess)
//|             return static_cast<int>(i);
//|     }
//|     return -1;
//| }
//= mutant counts_from_one
//| int first_failing(const std::vector<step>& steps) {
//|     for (std::size_t i = 0; i < steps.size(); ++i) {
//|         steps[i].launch();
//|         if (cudaDeviceSynchronize() != cudaSuccess) return static_cast<int>(i) + 1;
//|     }
//|     return 0;
//| }
// [/task]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int broken = options.integer("broken", -2, -2, 3);
    options.finish();
    lockstep::require_device();

    // a fault ends the process's work, so each case is a process of its own
    if (broken >= -1) {
        lockstep::device_buffer<int> data(256);
        std::vector<step> steps;
        for (int i = 0; i < 4; ++i) steps.push_back({data.data(), i == broken});
        std::printf("%d\n", first_failing(steps));
        std::fflush(stdout);
        std::_Exit(EXIT_SUCCESS);  // nothing can be freed after a fault
    }
    std::vector<int> found;
    const std::vector<int> expected{-1, 0, 1, 2, 3};
    for (const int which : expected) {
        const std::string said =
            lockstep::output_of(argv[0], "--broken " + std::to_string(which));
        found.push_back(said.empty() ? -100 : std::atoi(said.c_str()));
    }
    lockstep::exercise_verdict verdict;
    const auto place = [&](std::size_t i) {
        return expected[i] < 0
                   ? "without a broken step, the answer"
                   : "with step " + std::to_string(expected[i]) + " broken, the answer";
    };
    verdict.equal("failing steps", found, expected, place);
    return verdict.finish();
}
