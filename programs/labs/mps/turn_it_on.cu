// Four ranks of this program are to be clients of a daemon of their own, with the
// folders folder.pipes() and folder.logs(). Start the daemon before the ranks, and end
// it after them. The check asks the daemon for its clients while the ranks hold their
// contexts, and looks for the daemon when you say that it has ended.

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/mps.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/process.hpp>
#include <lockstep/require_device.hpp>

constexpr int ranks = 4;

/// A rank: makes a context, and answers whether it is a client.
int hold_context(const lockstep::partner& parent) {
    const lockstep::device_buffer<int> memory(1 << 20);
    int client = 0;
    lockstep::check(cudaDeviceGetAttribute(&client, cudaDevAttrMpsEnabled, 0));
    parent.send(client);
    parent.receive<int>();
    return EXIT_SUCCESS;
}

/// What the daemon of this environment answers: numbers of processes.
std::vector<int> ask(const std::string& words) {
    const std::string said = lockstep::output_of(
        "sh", "-c 'echo " + words + " | timeout 5 nvidia-cuda-mps-control'");
    std::vector<int> numbers;
    for (std::size_t at = 0; at < said.size();) {
        if (const int number = std::atoi(said.c_str() + at)) numbers.push_back(number);
        at = said.find('\n', at);
        if (at != std::string::npos) ++at;
    }
    return numbers;
}

/// Whether a process of the service uses the folder.
bool running(const std::string& pipes) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream name(entry.path() / "comm"), all(entry.path() / "environ");
        std::string comm;
        if (!std::getline(name, comm) || comm.rfind("nvidia-cuda-mps", 0) != 0)
            continue;
        const std::string words(std::istreambuf_iterator<char>(all), {});
        if (words.find("CUDA_MPS_PIPE_DIRECTORY=" + pipes) != std::string::npos)
            return true;
    }
    return false;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    if (socket >= 0) return hold_context(lockstep::partner(socket));
    lockstep::require_device();
    const lockstep::mps_folder folder;

    // [task-start]
    // the daemon and the ranks inherit the environment of this process
    setenv("CUDA_MPS_PIPE_DIRECTORY", folder.pipes().c_str(), 1);
    setenv("CUDA_MPS_LOG_DIRECTORY", folder.logs().c_str(), 1);
    const int started = std::system("nvidia-cuda-mps-control -d");
    //= given
    //| const int started = 1;  // the status of the command that starts the daemon
    //= mutant only_the_daemon_knows
    //| const int started =
    //|     std::system(("CUDA_MPS_PIPE_DIRECTORY=" + folder.pipes() +
    //|                  " CUDA_MPS_LOG_DIRECTORY=" + folder.logs() +
    //|                  " nvidia-cuda-mps-control -d").c_str());
    // [/task-start]

    std::vector<lockstep::partner> all;
    int say_so = 0;
    for (int rank = 0; rank < ranks; ++rank) all.emplace_back(argv[0]);
    for (const auto& rank : all) say_so += rank.receive<int>();
    int listed = 0;
    for (const int server : ask("get_server_list"))
        listed += int(ask("get_client_list " + std::to_string(server)).size());
    for (const auto& rank : all) rank.send(0);
    all.clear();  // waits for their end

    // [task-end]
    const int ended = std::system("echo quit | nvidia-cuda-mps-control");
    //= given
    //| const int ended = 1;  // the status of the command that ends the daemon
    //= mutant left_running
    //| const int ended = 0;
    // [/task-end]

    for (int i = 0; i < 100 && running(folder.pipes()); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    lockstep::exercise_verdict verdict;
    verdict.holds("the daemon started", started == 0, "no daemon was started");
    verdict.holds("all ranks are clients", say_so == ranks && listed == ranks,
                  "a rank found no daemon, and runs without the service: which folder "
                  "does it look into?");
    verdict.holds("the daemon has ended", ended == 0 && !running(folder.pipes()),
                  "the daemon is still there, or was not told to quit");
    return verdict.finish();
}
