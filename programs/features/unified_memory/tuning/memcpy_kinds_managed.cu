// Does the kind of a copy matter if both pointers are managed? The same bytes are
// copied with every kind. All copies are right: for unified memory the kind is only a
// hint about where the data is. The CPU wrote the source before each copy.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>
#include <lockstep/statistics.hpp>

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int mib = options.integer("mib", 8, 1, 64);
    options.finish();
    lockstep::require_device();
    const int n = mib * (1 << 20) / int(sizeof(int));
    const std::size_t bytes = n * sizeof(int);
    int* from = nullptr;
    int* to = nullptr;
    lockstep::check(cudaMallocManaged(&from, bytes));
    lockstep::check(cudaMallocManaged(&to, bytes));

    // [kinds]
    constexpr struct {
        const char* name;
        cudaMemcpyKind kind;
    } kinds[] = {{"cudaMemcpyHostToHost", cudaMemcpyHostToHost},
                 {"cudaMemcpyHostToDevice", cudaMemcpyHostToDevice},
                 {"cudaMemcpyDeviceToHost", cudaMemcpyDeviceToHost},
                 {"cudaMemcpyDeviceToDevice", cudaMemcpyDeviceToDevice},
                 {"cudaMemcpyDefault", cudaMemcpyDefault}};
    bool right = true;
    for (const auto& one : kinds) {
        std::vector<double> ms;
        for (int run = 0; run < 20; ++run) {
            for (int i = 0; i < n; ++i)
                from[i] = i + run;  // now the pages are the CPU's
            std::fill(to, to + n, -1);
            const auto begin = std::chrono::steady_clock::now();
            lockstep::check(cudaMemcpy(to, from, bytes, one.kind));
            lockstep::check(cudaDeviceSynchronize());
            const auto end = std::chrono::steady_clock::now();
            ms.push_back(
                std::chrono::duration<double, std::milli>(end - begin).count());
            for (int i = 0; i < n; i += 97) right = right && to[i] == i + run;
        }
        lockstep::report(one.name,
                         lockstep::measured{lockstep::summarize(ms).median_ms}, "ms");
    }
    // [/kinds]
    lockstep::report("all copies right", right);
    lockstep::check(cudaFree(from));
    lockstep::check(cudaFree(to));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
