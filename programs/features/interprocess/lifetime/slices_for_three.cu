// Three consumers each add up their own slice of one allocation, whose handle they all
// receive. Write the part of a consumer: open the handle, add up the slice of this
// rank, and give the memory back so that the producer may free it. The check tries to
// close the handle once more: that must fail, since nothing is left to close.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/partner.hpp>
#include <lockstep/require_device.hpp>

constexpr int consumers = 3;
constexpr int slice = 1 << 19;  // ints for each consumer

/// What the producer sends.
struct offer {
    cudaIpcMemHandle_t handle;  ///< of consumers * slice ints
    int rank;                   ///< of the consumer, from 0
};

/// What a consumer answers.
struct finding {
    int rank;       ///< of the consumer
    int sum;        ///< of its slice
    bool released;  ///< whether nothing was left to close
};

/// Sets the elements of each slice; each slice has a sum of its own.
/// @param x  consumers * slice ints in device memory, written
__global__ void fill(int* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < consumers * slice) x[i] = i % 7 + i / slice;
}

/// Adds up a slice.
/// @param x    slice ints in device memory
/// @param sum  one int in device memory, added to
__global__ void add_up(const int* x, int* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < slice) atomicAdd(sum, x[i]);
}

/// A consumer.
int consume(const lockstep::partner& producer) {
    const auto given = producer.receive<offer>();
    lockstep::device_buffer<int> d_sum(std::vector<int>{0});
    int* x = nullptr;
    int sum = -1;
    // [task]
    void* opened = nullptr;
    lockstep::check(
        cudaIpcOpenMemHandle(&opened, given.handle, cudaIpcMemLazyEnablePeerAccess));
    x = static_cast<int*>(opened);
    add_up<<<slice / 256, 256>>>(x + given.rank * slice, d_sum.data());
    lockstep::check(cudaGetLastError());
    sum = d_sum.to_host()[0];
    lockstep::check(cudaIpcCloseMemHandle(x));
    //= given
    //| // Open the handle as x; set sum to the sum of this consumer's slice.
    //= mutant all_take_the_first
    //| void* opened = nullptr;
    //| lockstep::check(cudaIpcOpenMemHandle(&opened, given.handle,
    //|                                      cudaIpcMemLazyEnablePeerAccess));
    //| x = static_cast<int*>(opened);
    //| add_up<<<slice / 256, 256>>>(x, d_sum.data());
    //| lockstep::check(cudaGetLastError());
    //| sum = d_sum.to_host()[0];
    //| lockstep::check(cudaIpcCloseMemHandle(x));
    //= mutant never_closed
    //| void* opened = nullptr;
    //| lockstep::check(cudaIpcOpenMemHandle(&opened, given.handle,
    //|                                      cudaIpcMemLazyEnablePeerAccess));
    //| x = static_cast<int*>(opened);
    //| add_up<<<slice / 256, 256>>>(x + given.rank * slice, d_sum.data());
    //| lockstep::check(cudaGetLastError());
    //| sum = d_sum.to_host()[0];
    //= mutant opened_twice
    //| void* opened = nullptr;
    //| for (int i = 0; i < 2; ++i)
    //|     lockstep::check(cudaIpcOpenMemHandle(&opened, given.handle,
    //|                                          cudaIpcMemLazyEnablePeerAccess));
    //| x = static_cast<int*>(opened);
    //| add_up<<<slice / 256, 256>>>(x + given.rank * slice, d_sum.data());
    //| lockstep::check(cudaGetLastError());
    //| sum = d_sum.to_host()[0];
    //| lockstep::check(cudaIpcCloseMemHandle(x));
    // [/task]
    const bool released = x && cudaIpcCloseMemHandle(x) != cudaSuccess;
    producer.send(finding{given.rank, sum, released});
    return EXIT_SUCCESS;
}

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int socket = options.integer("partner", -1, 0, 1023);
    options.finish();
    lockstep::require_device();
    if (socket >= 0) return consume(lockstep::partner(socket));

    // [producer]
    int* x = nullptr;
    offer offered{};
    lockstep::check(cudaMalloc(&x, consumers * slice * sizeof(int)));
    fill<<<consumers * slice / 256, 256>>>(x);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());  // all is filled before a handle is sent
    lockstep::check(cudaIpcGetMemHandle(&offered.handle, x));
    std::vector<lockstep::partner> partners;
    for (int rank = 0; rank < consumers; ++rank) {
        partners.emplace_back(argv[0]);
        offered.rank = rank;
        partners[rank].send(offered);
    }
    std::vector<int> sums(consumers, -1);
    int released = 0;
    for (lockstep::partner& consumer : partners) {
        const auto found = consumer.receive<finding>();
        sums[found.rank] = found.sum;
        released += found.released;
        consumer.end();
    }
    lockstep::check(cudaFree(x));  // all consumers have closed it
    // [/producer]
    lockstep::exercise_verdict verdict(-1);
    std::vector<int> expected(consumers);
    for (int i = 0; i < consumers * slice; ++i)
        expected[i / slice] += i % 7 + i / slice;
    verdict.equal("sums of the slices", sums, expected,
                  lockstep::numbered("the sum of consumer"));
    verdict.holds("all consumers closed it", released == consumers,
                  "close the handle as often as it was opened");
    return verdict.finish();
}
