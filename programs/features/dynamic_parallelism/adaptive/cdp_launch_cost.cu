// What does a launch from a kernel cost, against one from the host, and against no
// launch at all? The same small tasks, in five ways: launched by the host, by one
// thread of a kernel into its NULL stream, by that thread fire and forget, by many
// threads fire and forget, and taken from a queue by blocks that are already there.

#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/csv_file.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/require_device.hpp>

constexpr int task_size = 64;  // threads
enum method { host, null_stream, one_thread, many_threads, queue, methods };

// [task]
/// The task: adds one to a part of an array.
/// @param x  task_size ints in device memory, changed; task_size threads
__device__ void do_task(int* x) { ++x[threadIdx.x]; }

/// The task as a grid of one block.
/// @param x  as above
__global__ void task(int* x) { do_task(x); }
// [/task]

// [launchers]
/// Launches tasks, divided among its threads; one block.
/// @param n       number of tasks
/// @param stream  into which stream
/// @param x       task_size ints for each task in device memory
/// @param errors  in device memory, increased for each launch that is refused
__global__ void launch_tasks(int n, cudaStream_t stream, int* x, int* errors) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        task<<<1, task_size, 0, stream>>>(x + i * task_size);
        if (cudaGetLastError() != cudaSuccess) atomicAdd(errors, 1);
    }
}

/// Takes tasks until none is left; blocks of task_size threads.
/// @param n     number of tasks
/// @param next  in device memory: the next task to take, 0 at first
/// @param x     task_size ints for each task in device memory
__global__ void take_tasks(int n, int* next, int* x) {
    __shared__ int mine;
    while (true) {
        if (threadIdx.x == 0) mine = atomicAdd(next, 1);
        __syncthreads();
        if (mine >= n) return;
        do_task(x + mine * task_size);
        __syncthreads();  // before `mine` changes
    }
}
// [/launchers]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const char* csv = options.text("csv");
    const int runs = options.flag("untimed") ? 1 : 20;
    options.finish();
    lockstep::require_device();

    constexpr int most = 1024;
    lockstep::device_buffer<int> d_x(most * task_size), d_errors(1), d_next(1);
    d_x.fill_bytes(0);
    d_errors.fill_bytes(0);
    int sms = 0;
    lockstep::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int blocks = 2 * sms;  // that take tasks from the queue
    const char* names[methods] = {"host", "a thread: NULL stream",
                                  "a thread: fire and forget", "256 threads: the same",
                                  "work queue"};
    lockstep::csv_file file(csv, "tasks,way,~us");
    int expected = 0;
    for (const int n : {1, 4, 16, 64, 256, most}) {
        for (int how = host; how < methods; ++how) {
            // [ways]
            const auto work = [&] {
                int* const x = d_x.data();
                int* const errors = d_errors.data();
                if (how == host)
                    for (int i = 0; i < n; ++i)
                        task<<<1, task_size>>>(x + i * task_size);
                if (how == null_stream) launch_tasks<<<1, 1>>>(n, nullptr, x, errors);
                if (how == one_thread)
                    launch_tasks<<<1, 1>>>(n, cudaStreamFireAndForget, x, errors);
                if (how == many_threads)
                    launch_tasks<<<1, 256>>>(n, cudaStreamFireAndForget, x, errors);
                if (how == queue) {
                    lockstep::check(cudaMemsetAsync(d_next.data(), 0, sizeof(int)));
                    take_tasks<<<blocks, task_size>>>(n, d_next.data(), x);
                }
                lockstep::check(cudaGetLastError());
                lockstep::check(cudaDeviceSynchronize());
            };
            // [/ways]
            const double us = 1e3 * lockstep::time_on_host(work, runs).median_ms;
            expected += runs + 1;
            file.row("%d,%s,%.3g", n, names[how], us);
            if (n == 1 || n == most)
                lockstep::report(names[how], lockstep::measured{us / n},
                                 n == 1 ? "us for one task" : "us a task of 1024");
        }
    }
    file.finish();
    // the first task was in all six sizes, the last one only in the largest
    const std::vector<int> x = d_x.to_host();
    const bool right = x[0] == expected && x[most * task_size - 1] == expected / 6 &&
                       d_errors.to_host()[0] == 0;
    lockstep::report("each task done each time", right);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
