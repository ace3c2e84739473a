// How many processes does one server of the Multi-Process Service accept at the same
// time? Clients start, eight at once, until one is refused; with several numbers of
// work queues (connections) for each client.

#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/check.hpp>
#include <lockstep/command_line.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/mps.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/report.hpp>

constexpr int at_once = 8, most = 80;

/// A client: makes a context, answers how that went, and keeps it for a while.
int make_context(const lockstep::partner& parent) {
    parent.send(cudaFree(nullptr));
    while (parent.receive<bool>()) {  // more clients are being started
    }
    return EXIT_SUCCESS;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    if (socket >= 0) return make_context(lockstep::partner(socket));
    if (!lockstep::mps_offered())
        lockstep::require_mps();  // else this process would be a client

    bool right = true;
    for (const char* connections : {"", "1", "2", "4", "8"}) {
        // [start]
        const lockstep::inherited queues("CUDA_DEVICE_MAX_CONNECTIONS",
                                         *connections ? connections : nullptr);
        std::vector<lockstep::partner> clients;
        int accepted = 0;
        cudaError_t refusal = cudaSuccess;
        while (refusal == cudaSuccess && int(clients.size()) < most) {
            const int first = int(clients.size());
            const int count = first ? at_once : 1;  // the first one starts the server
            for (int i = 0; i < count; ++i) clients.emplace_back(argv[0]);
            for (int i = first; i < first + count; ++i) {
                const auto found = clients[i].receive<cudaError_t>();
                accepted += found == cudaSuccess;
                if (found != cudaSuccess) refusal = found;
            }
            for (const auto& client : clients) client.send(true);
        }
        // [/start]
        if (accepted == 0) lockstep::check(refusal);  // no GPU, for example
        for (const auto& client : clients) client.send(false);
        clients.clear();  // waits for their end
        const std::string label =
            *connections ? std::string("connections ") + connections : "default";
        lockstep::report((label + ", clients").c_str(), accepted);
        lockstep::report((label + ", then").c_str(), cudaGetErrorName(refusal));
        right = right && accepted > 1;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
