// What happens to managed memory that is attached to the host? No kernel may use it,
// and by the guide the CPU may touch it at any time. Each attempt runs in a child
// process, which prints what it got; one that ends before that is reported as dead. The
// last attempt passes 0, which is none of the flags, and touches nothing.

#include <cstdio>
#include <cstdlib>
#include <string>

#include <lockstep/command_line.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/process.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

/// Runs in a child: one attempt, whose outcome it prints.
/// @param attempt  which one
void child(int attempt) {
    int* for_cpu = nullptr;
    const lockstep::owned_stream stream;
    // [attempts]
    if (attempt == 0) {  // attached when it is allocated
        lockstep::check(cudaMallocManaged(&for_cpu, sizeof(int), cudaMemAttachHost));
        *for_cpu = 20;
        std::printf("%d", *for_cpu);
        return;
    }
    lockstep::check(cudaMallocManaged(&for_cpu, sizeof(int)));
    const unsigned flags = attempt == 3 ? 0 : cudaMemAttachHost;
    const cudaError_t attached = cudaStreamAttachMemAsync(stream, for_cpu, 0, flags);
    lockstep::check(cudaStreamSynchronize(stream));  // attached only now
    if (attempt == 2) *for_cpu = 20;
    std::printf("%s", cudaGetErrorName(attached));
    // [/attempts]
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    constexpr int count = 4;
    const int attempt = options.integer("child", count, 0, count);
    options.finish();
    lockstep::require_device();
    if (attempt < count) {
        child(attempt);
        return EXIT_SUCCESS;
    }
    constexpr const char* names[] = {"allocated so, then touched", "attached later",
                                     "attached later, touched",
                                     "attached with flags of 0"};
    bool right = true;
    for (int i = 0; i < count; ++i) {
        const std::string said =
            lockstep::output_of(argv[0], "--child " + std::to_string(i));
        lockstep::report(names[i], said.empty() ? "the process died" : said.c_str());
        if (i == 0) right = said == "20";
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
