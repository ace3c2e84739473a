// Four jobs share a GPU as clients of one daemon. The kernel of job 2 is untested. Say
// for each job with which folder of pipes it starts, so that the other three stay
// clients of the daemon, which lets them run together, and end with their results.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/device_clock.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/inherited.hpp>
#include <lockstep/mps.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/require_device.hpp>

constexpr int jobs = 4, untested = 2;

/// What a job answers.
struct finding {
    int client;         ///< whether it is a client of the service
    int result;         ///< what its kernel computed
    cudaError_t error;  ///< the first one
};

/// The task of a job; the kernel of the untested one writes to a wrong address.
/// @param job     number of the job
/// @param result  one int in device memory, written
__global__ void compute(int job, int* result) {
    if (job == untested) result = reinterpret_cast<int*>(16);
    lockstep::busy_wait(job == untested ? 100'000 : 1'000'000);
    *result = 10 + job;
}

/// A job: runs its kernel many times, the untested one after 0.1 s.
int run(const lockstep::partner& parent) {
    finding found{};
    lockstep::device_buffer<int> d_result(std::vector<int>{0});
    lockstep::check(cudaDeviceGetAttribute(&found.client, cudaDevAttrMpsEnabled, 0));
    parent.send(0);  // ready
    const int job = parent.receive<int>();
    if (job == untested) lockstep::busy<<<1, 1>>>(100'000'000);
    for (int i = 0; i < 400 && found.error == cudaSuccess; ++i) {
        compute<<<1, 1>>>(job, d_result.data());
        found.error = cudaDeviceSynchronize();
    }
    if (found.error == cudaSuccess) found.result = d_result.to_host()[0];
    parent.send(found);
    std::_Exit(EXIT_SUCCESS);  // after a fault, nothing can be freed
}

/// The folder of pipes for a job.
/// @param job    its number
/// @param pipes  folder of the daemon
std::string pipes_for(int job, const std::string& pipes) {
    // [task]
    // where no daemon listens, a process runs without the service
    return job == untested ? "/nonexistent" : pipes;
    //= given
    //| return job >= 0 ? pipes : "";
    //= mutant all_outside
    //| return job >= 0 ? "/nonexistent" : pipes;
    //= mutant the_others_outside
    //| return job == untested ? pipes : "/nonexistent";
    // [/task]
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    if (socket >= 0) return run(lockstep::partner(socket));
    lockstep::require_device();
    const lockstep::mps_folder folder;
    {
        const lockstep::inherited pipes("CUDA_MPS_PIPE_DIRECTORY",
                                        folder.pipes().c_str());
        const lockstep::inherited logs("CUDA_MPS_LOG_DIRECTORY", folder.logs().c_str());
        if (std::system("nvidia-cuda-mps-control -d >/dev/null 2>&1") != 0) {
            std::fprintf(stderr, "the daemon of MPS does not start on this machine\n");
            return lockstep::no_device_status;
        }
    }
    std::vector<lockstep::partner> all;
    for (int job = 0; job < jobs; ++job) {
        const std::string path = pipes_for(job, folder.pipes());
        const lockstep::inherited pipes("CUDA_MPS_PIPE_DIRECTORY", path.c_str());
        all.emplace_back(argv[0]);
    }
    for (const auto& job : all) job.receive<int>();
    for (int job = 0; job < jobs; ++job) all[job].send(job);
    std::vector<int> results, expected;
    int clients = 0;
    for (int job = 0; job < jobs; ++job) {
        const auto found = all[job].receive<finding>();
        if (job == untested) continue;
        results.push_back(found.result);
        expected.push_back(10 + job);
        clients += found.client;
    }
    all.clear();  // waits for their end
    lockstep::exercise_verdict verdict;
    verdict.holds("three jobs have results", results == expected,
                  "a fault of job 2 ended others: with whom does it share a server?");
    verdict.holds("the three run together", clients == jobs - 1,
                  "jobs 0, 1 and 3 shall be clients of the daemon");
    return verdict.finish();
}
