// Three clients share a GPU. How long does C take for its work beside A, while B idles,
// and while B works too? Each may use a third of the SMs at most; or A and B a half and
// C all of them, which is more than there are.

#include <chrono>
#include <cstdlib>
#include <string>

#include <lockstep/check.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/mps.hpp>
#include <lockstep/partner.hpp>

#include "arithmetic.hpp"

using host_clock = std::chrono::steady_clock;

/// A client: launches so many kernels each time, and answers how long they took.
int work(const lockstep::partner& parent) {
    lockstep::device_buffer<float> d_result(1);
    const auto run = [&](int kernels) {
        const auto begin = host_clock::now();
        for (int i = 0; i < kernels; ++i)
            mps::compute<<<mps::compute_blocks, mps::compute_threads>>>(
                3000, d_result.data());
        lockstep::check(cudaGetLastError());
        lockstep::check(cudaDeviceSynchronize());
        const auto time = host_clock::now() - begin;
        return std::chrono::duration<double, std::milli>(time).count();
    };
    run(1);  // a warm-up
    parent.send(0);  // ready
    for (int kernels = parent.receive<int>(); kernels >= 0;
         kernels = parent.receive<int>())
        parent.send(run(kernels));
    return EXIT_SUCCESS;
}

/// A client with a limit.
lockstep::partner client_with(const char* program, const char* percentage) {
    const lockstep::inherited share("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", percentage);
    return lockstep::partner(program);
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    const char* csv = options.text("csv");
    options.finish();
    if (socket >= 0) return work(lockstep::partner(socket));
    lockstep::require_mps();

    // [settings]
    const struct {
        const char* name;
        const char* percentages[3];  // of A, B and C
    } settings[] = {{"33/33/33", {"33", "33", "33"}},
                    {"50/50/100", {"50", "50", "100"}}};
    // [/settings]
    lockstep::csv_file table(csv, "percentages,B,client,~ms");
    bool right = true;
    for (const auto& setting : settings) {
        const lockstep::partner clients[] = {
            client_with(argv[0], setting.percentages[0]),
            client_with(argv[0], setting.percentages[1]),
            client_with(argv[0], setting.percentages[2])};
        for (const auto& client : clients) client.receive<int>();
        for (const bool busy : {false, true}) {
            // A works longest, so that C never has the GPU for itself
            const int kernels[] = {150, busy ? 150 : 0, 40};
            for (int i = 0; i < 3; ++i) clients[i].send(kernels[i]);
            for (int i = 0; i < 3; ++i) {
                const auto ms = clients[i].receive<double>();
                table.row("%s,%s,%c,%.3f", setting.name, busy ? "works" : "idles",
                          'A' + i, ms);
                right = right && (ms > 1 || kernels[i] == 0);
                if (i < 2) continue;
                const std::string label = std::string(setting.name) +
                                          (busy ? ", B works: C" : ", B idles: C");
                lockstep::report(label.c_str(), lockstep::measured{ms}, "ms");
            }
        }
        for (const auto& client : clients) client.send(-1);
    }
    table.finish();
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
