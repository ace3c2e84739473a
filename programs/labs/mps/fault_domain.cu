// One process writes to an invalid address. What do the others see that use the same
// GPU: one whose kernels run, one that is idle, one that starts right after the fault,
// and one that starts when all are gone? First none is a client of the Multi-Process
// Service, then all are, then all but the one that faults.

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include <lockstep/check.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/mps.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/report.hpp>

constexpr int no_answer = -1;

// [kernels]
/// Writes to an address that belongs to no allocation.
__global__ void write_wildly() { *reinterpret_cast<int*>(16) = 1; }
// [/kernels]

/// What a process does next.
enum task { work_on, fault, one_kernel, leave };

/// A child: does what it is told, and answers with the first error.
int follow(const lockstep::partner& parent) {
    // a server that does not answer must not keep the others waiting
    std::thread([&] {
        std::this_thread::sleep_for(std::chrono::seconds(6));
        parent.send(no_answer);
        std::_Exit(EXIT_FAILURE);
    }).detach();
    const auto run = [] {  // for a millisecond
        lockstep::busy<<<4, 32>>>(1'000'000);
        const cudaError_t launched = cudaGetLastError();
        return launched == cudaSuccess ? cudaDeviceSynchronize() : launched;
    };
    cudaError_t found = run();
    parent.send(int(found));
    for (task now = parent.receive<task>(); now != leave;
         now = parent.receive<task>()) {
        if (now == fault) write_wildly<<<1, 1>>>();
        const auto begin = std::chrono::steady_clock::now();
        do found = run();
        while (now == work_on && found == cudaSuccess &&
               std::chrono::steady_clock::now() - begin < std::chrono::seconds(1));
        parent.send(int(found));
    }
    std::_Exit(EXIT_SUCCESS);  // after a fault, nothing can be freed
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    if (socket >= 0) return follow(lockstep::partner(socket));
    // this process uses no CUDA, or the server would wait for its end after a fault
    if (!lockstep::mps_offered()) lockstep::require_mps();

    const auto started = [&](bool client) {
        const lockstep::inherited pipes("CUDA_MPS_PIPE_DIRECTORY",
                                        client ? nullptr : "/nonexistent");
        return lockstep::partner(argv[0]);
    };
    bool right = true;
    const auto report = [](const std::string& label, int error) {
        lockstep::report(label.c_str(), error == no_answer
                                            ? "no answer"
                                            : cudaGetErrorName(cudaError_t(error)));
    };
    const struct {
        std::string name;
        bool others, faulty;  // whether they are clients
    } cases[] = {{"no service: ", false, false},
                 {"clients: ", true, true},
                 {"one outside: ", true, false}};
    for (const auto& [name, others, faulty] : cases) {
        {
            // [act]
            const lockstep::partner busy = started(others), idle = started(others),
                                    wild = started(faulty);
            for (const auto* one : {&busy, &idle, &wild})
                lockstep::check(cudaError_t(one->receive<int>()));
            busy.send(work_on);
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            wild.send(fault);
            const int own = wild.receive<int>(), of_busy = busy.receive<int>();
            idle.send(one_kernel);
            const int of_idle = idle.receive<int>();
            const lockstep::partner newcomer = started(others);
            const int of_newcomer = newcomer.receive<int>();
            // [/act]
            report(name + "faulty", own);
            report(name + "busy", of_busy);
            report(name + "idle", of_idle);
            report(name + "new", of_newcomer);
            right = right && own != cudaSuccess;
            for (const auto* one : {&busy, &idle, &wild, &newcomer}) one->send(leave);
        }  // waits for their end
        const lockstep::partner later = started(others);
        const int of_later = later.receive<int>();
        report(name + "new, all gone", of_later);
        later.send(leave);
        right = right && of_later == cudaSuccess;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
